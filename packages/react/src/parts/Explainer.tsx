import type { ReactNode } from 'react'

export interface ExplainerPart {
  icon: ReactNode
  title: string
  text: string
}

/** A list of illustrated paragraphs. */
export function Explainer({ parts }: { parts: readonly ExplainerPart[] }) {
  return (
    <ul className="hw-explainer">
      {parts.map((part) => (
        <li key={part.title} className="hw-explainer-part">
          <span className="hw-explainer-icon">{part.icon}</span>
          <div>
            <h3 className="hw-explainer-title">{part.title}</h3>
            <p className="hw-explainer-text">{part.text}</p>
          </div>
        </li>
      ))}
    </ul>
  )
}
