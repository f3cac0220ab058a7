import { useLab } from '../lab/LabContext.ts'

/** Leads to the mails that the gateway sent during development. */
export function InboxLink() {
  const { config } = useLab()
  return (
    <a className="inline-link" href={`${config.gatewayUrl}/dev/inbox`} target="_blank" rel="noreferrer">
      the inbox
    </a>
  )
}
