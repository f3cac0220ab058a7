import type { ReactNode } from 'react'

interface ExplainerPart {
  title: string
  text: string
}

export interface ExplainerProps {
  parts: readonly ExplainerPart[]
  /** One for each part. */
  icons: readonly ReactNode[]
}

/** A list of illustrated paragraphs. */
export function Explainer({ parts, icons }: ExplainerProps) {
  return (
    <ul className="hw-explainer">
      {parts.map((part, index) => (
        <li key={part.title} className="hw-explainer-part">
          <span className="hw-explainer-icon">{icons[index]}</span>
          <div>
            <h3 className="hw-explainer-title">{part.title}</h3>
            <p className="hw-explainer-text">{part.text}</p>
          </div>
        </li>
      ))}
    </ul>
  )
}
