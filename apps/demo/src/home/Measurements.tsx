import { CopyButton } from '@hawser/ui'
import { measurements } from './measurements.ts'

/** What was measured, each with the command that measures it. */
export function Measurements() {
  return (
    <section className="band" aria-labelledby="measured-title">
      <h2 id="measured-title">Measured: run it yourself</h2>
      <ul className="cards">
        {measurements.map(({ value, title, text, command }) => (
          <li key={title} className="card">
            <strong className="card-value">{value}</strong>
            <h3>{title}</h3>
            <p>{text}</p>
            <p className="output">
              <code>{command}</code>
              <CopyButton text={command} label={`Copy ${command}`} />
            </p>
          </li>
        ))}
      </ul>
    </section>
  )
}
