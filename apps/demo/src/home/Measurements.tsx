import { CopyButton } from '@hawser/ui'

/** A claim, and the command that measures it again. */
interface Measurement {
  value: string
  title: string
  text: string
  command: string
}

/** Measured on a machine with two cores, November 2026. */
const measurements: readonly Measurement[] = [
  {
    value: '0 packets',
    title: 'leave for a third party',
    text: 'Our browser tests connect, send, swap, buy and register names in an isolated network, and count outgoing packets.',
    command: 'make e2e',
  },
  {
    value: '44 KiB',
    title: 'open the modal, in 3 files',
    text: 'Compressed, scripts and styles together, fetched while the page is idle. The button itself adds 19.5 KiB to a React page.',
    command: 'node test/bench/page/page.mjs',
  },
  {
    value: '0.06 bps',
    title: 'from the best possible swap',
    text: 'On average over 2,500 pools, proven for every quote. The median search takes 0.3 ms.',
    command: "go test -run '^$' -bench Search2500 -benchtime 108x ./services/convert/route",
  },
]

/** What was measured, each with the command that measures it. */
export function Measurements() {
  return (
    <section className="band" aria-labelledby="measured-title">
      <h2 id="measured-title">Measured, and easy to repeat</h2>
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
