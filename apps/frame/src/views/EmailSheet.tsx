import type { Sheet } from '@hawser/vault'
import { useTexts } from '../locale/useLanguage.ts'
import { visibleEmail } from '../plain.ts'
import { Fact } from './Fact.tsx'
import { RequestFooter, SheetFrame } from './SheetFrame.tsx'
import { guardNotice, useGuard } from './useGuard.ts'

/** A change of the email that a site requests: the address that signs in afterwards. */
export function EmailSheet({
  sheet: { view, approve, reject },
}: {
  readonly sheet: Extract<Sheet, { kind: 'email' }>
}) {
  const texts = useTexts()
  const { watched, state, guarded } = useGuard<HTMLElement>()
  return (
    <SheetFrame
      title={texts.emailChange.title}
      cancel={reject}
      sheet={watched}
      state={state}
      footer={
        <RequestFooter
          notice={guardNotice(state, texts)}
          reject={reject}
          approve={guarded(approve)}
          isDisabled={false}
          isSettling={state !== 'armed'}
          label={texts.sheet.approve}
        />
      }
    >
      <p>{texts.emailChange.text}</p>
      <dl class="facts">
        <Fact name={texts.device.site}>{view.site}</Fact>
        <Fact name={texts.emailChange.old}>{visibleEmail(view.oldEmail)}</Fact>
        <Fact name={texts.emailChange.new}>{visibleEmail(view.newEmail)}</Fact>
      </dl>
    </SheetFrame>
  )
}
