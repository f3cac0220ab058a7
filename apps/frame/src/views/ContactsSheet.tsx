import type { Sheet } from '@hawser/vault'
import { useTexts } from '../locale/useLanguage.ts'
import { Fact } from './Fact.tsx'
import { RequestFooter, SheetFrame } from './SheetFrame.tsx'
import { guardNotice, useGuard } from './useGuard.ts'

/** A site that asks for the contacts of the wallet. */
export function ContactsSheet({
  sheet: { view, approve, reject },
}: {
  readonly sheet: Extract<Sheet, { kind: 'contacts' }>
}) {
  const texts = useTexts()
  const { watched, state, guarded } = useGuard<HTMLElement>()
  return (
    <SheetFrame
      title={texts.contacts.title}
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
          label={texts.contacts.share}
        />
      }
    >
      <p>{texts.contacts.text}</p>
      <dl class="facts">
        <Fact name={texts.device.site}>{view.site}</Fact>
      </dl>
    </SheetFrame>
  )
}
