export interface SeparatorProps {
  /** A word in the middle of the line: "or". */
  label?: string
}

/** A line between two parts. */
export function Separator({ label }: SeparatorProps) {
  if (!label) return <hr className="hw-separator" />
  return (
    <div className="hw-separator" data-labelled="true">
      <span>{label}</span>
    </div>
  )
}
