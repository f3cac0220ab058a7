import { visibleText } from '@hawser/texts/format/visibleText'
import { deviceText } from '../locale/deviceText.ts'
import { useTag, useTexts } from '../locale/useLanguage.ts'
import { Fact } from '../views/Fact.tsx'
import { GuardedButton } from '../views/GuardedButton.tsx'

/** A device that is signing in, in the JSON form of its message. */
export interface DeviceRequest {
  readonly device?: { readonly browser?: string; readonly system?: string; readonly site?: string }
  readonly network?: string
  /** Unix time in seconds. */
  readonly startedAt?: string
}

/** What a user compares before the login of a device. */
export function DeviceFacts({ device, network = '', startedAt = '0' }: DeviceRequest) {
  const allTexts = useTexts()
  const { device: texts } = allTexts
  const tag = useTag()
  return (
    <dl class="facts">
      <Fact name={texts.browser}>{deviceText(device?.browser ?? '', allTexts)}</Fact>
      <Fact name={texts.system}>{deviceText(device?.system ?? '', allTexts)}</Fact>
      <Fact name={texts.site}>{visibleText(device?.site ?? '')}</Fact>
      <Fact name={texts.network}>{deviceText(network, allTexts)}</Fact>
      <Fact name={texts.time}>{new Date(Number(startedAt) * 1_000).toLocaleString(tag)}</Fact>
    </dl>
  )
}

/** The decision of a user about the login of a device. */
export function DeviceButtons({ decide }: { readonly decide: (approve: boolean) => void }) {
  const { device: texts } = useTexts()
  return (
    <div class="buttons">
      <button type="button" onClick={() => decide(false)}>
        {texts.deny}
      </button>
      <GuardedButton class="primary" onClick={() => decide(true)}>
        {texts.approve}
      </GuardedButton>
    </div>
  )
}
