import { Area, AreaChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts'
import { dayText, numberText } from '../format.ts'
import { texts } from '../texts.ts'

/** A series of numbers by day. */
interface Series {
  readonly key: string
  readonly label: string
}

export interface DaysChartProps {
  label: string
  /** Rows with a `day` and a number for each series. */
  days: readonly ({ readonly day: string } & Readonly<Record<string, number | string>>)[]
  /** At most two: they are told apart by colour and by a dashed line. */
  series: readonly Series[]
}

const colours = ['var(--hw-color-accent)', 'var(--hw-color-success)']
const tick = { fill: 'var(--hw-color-text-secondary)', fontSize: 12 }

/** Numbers by day. The drawing is for the eyes; a table has the same numbers for everybody. */
export function DaysChart({ label, days, series }: DaysChartProps) {
  return (
    <figure className="chart" aria-label={label}>
      <ul className="legend" aria-hidden="true">
        {series.map(({ key, label }, at) => (
          <li key={key} data-series={at}>
            {label}
          </li>
        ))}
      </ul>
      <div className="drawing" aria-hidden="true">
        <ResponsiveContainer width="100%" height={220}>
          <AreaChart
            data={[...days]}
            accessibilityLayer={false}
            margin={{ top: 8, right: 8, bottom: 0, left: 0 }}
          >
            <CartesianGrid vertical={false} stroke="var(--hw-color-border)" />
            <XAxis
              dataKey="day"
              tickFormatter={dayText}
              tick={tick}
              tickLine={false}
              axisLine={false}
              minTickGap={32}
              interval="equidistantPreserveStart"
            />
            <YAxis
              allowDecimals={false}
              tick={tick}
              tickLine={false}
              axisLine={false}
              width={44}
              tickFormatter={numberText}
            />
            <Tooltip
              content={<DayTooltip series={series} />}
              cursor={{ stroke: 'var(--hw-color-border-strong)' }}
            />
            {series.map(({ key }, at) => (
              <Area
                key={key}
                dataKey={key}
                type="linear"
                isAnimationActive={false}
                stroke={colours[at] ?? ''}
                strokeWidth={2}
                {...(at > 0 && { strokeDasharray: '5 4' })}
                fill={colours[at] ?? ''}
                fillOpacity={0.1}
                dot={false}
                activeDot={{ r: 4, stroke: 'var(--hw-color-background)', strokeWidth: 2 }}
              />
            ))}
          </AreaChart>
        </ResponsiveContainer>
      </div>
      <Numbers
        head={[texts.analytics.day, ...series.map(({ label }) => label)]}
        rows={days.map((row) => [dayText(row.day), ...series.map(({ key }) => numberText(Number(row[key])))])}
      />
    </figure>
  )
}

interface TooltipPayload {
  readonly dataKey?: unknown
  readonly value?: unknown
}

function DayTooltip({
  series,
  active,
  label,
  payload = [],
}: {
  series: readonly Series[]
  active?: boolean
  label?: unknown
  payload?: readonly TooltipPayload[]
}) {
  if (!active || typeof label !== 'string') return null
  return (
    <div className="chart-tooltip">
      <strong>{dayText(label)}</strong>
      {series.map(({ key, label }) => (
        <span key={key}>
          {label}: {numberText(Number(payload.find(({ dataKey }) => dataKey === key)?.value ?? 0))}
        </span>
      ))}
    </div>
  )
}

function Numbers({ head, rows }: { head: readonly string[]; rows: readonly (readonly string[])[] }) {
  return (
    <details className="numbers">
      <summary>{texts.asTable}</summary>
      <table className="small-table">
        <thead>
          <tr>
            {head.map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([name = '', ...cells]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {cells.map((cell, at) => (
                <td key={head[at + 1]}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )
}
