import { useLab } from '../lab/LabContext.ts'

/** Leads to the mails of logins during development. */
export function InboxLink() {
  const { config } = useLab()
  return (
    <a className="inline-link" href={`${config.devServersUrl}/inbox`} target="_blank" rel="noreferrer">
      the inbox
    </a>
  )
}
