import { AlertIcon } from '@hawser/ui'

export interface ConsequencesProps {
  /** What happens, in one sentence. */
  lead: string
  consequences: readonly string[]
}

/** Lists the consequences of a change that cannot be undone. */
export function Consequences({ lead, consequences }: ConsequencesProps) {
  return (
    <div className="hw-consequences">
      <p className="hw-consequences-lead">
        <AlertIcon size={20} />
        <span>{lead}</span>
      </p>
      <ul>
        {consequences.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </div>
  )
}
