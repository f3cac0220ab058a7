import { darkTheme, lightTheme, type RadiusScale, useTheme } from '@hawser/react'
import { CopyButton } from '@hawser/ui'
import { useState } from 'react'
import { accentFor, accents, readableOn } from '../lab/accents.ts'
import { useLab } from '../lab/LabContext.ts'
import { Panel } from '../page/Panel.tsx'
import { Segmented } from '../page/Segmented.tsx'

const modes = ['dark', 'light'] as const
const radii = ['none', 'small', 'medium', 'large'] as const

/** Changes the theme of the modal, the buttons and this page while they are on screen. */
export function ThemeSection() {
  const { flags } = useLab()
  const { themeMode, themeVariables, setThemeMode, setThemeVariables } = useTheme()
  const [accent, setAccent] = useState(flags.accent)
  const [radius, setRadius] = useState<RadiusScale>(flags.radius)

  function apply(mode: 'dark' | 'light', chosen: string | undefined, scale: RadiusScale) {
    const colour = chosen && accentFor(mode, chosen)
    setAccent(colour)
    setRadius(scale)
    setThemeMode(mode)
    // An empty value resets a variable to that of the palette.
    const unset = Object.fromEntries(Object.keys(themeVariables).map((name) => [name, '']))
    const options = { radius: scale, ...(colour && { accent: colour, onAccent: readableOn(colour) }) }
    const theme = mode === 'light' ? lightTheme(options) : darkTheme(options)
    setThemeVariables({ ...unset, ...theme.themeVariables })
  }

  const call = `${themeMode}Theme(${optionsText(accent, radius)})`
  return (
    <Panel title="Theme" hint="Changes apply to the modal and to this page at once.">
      <Segmented
        label="Mode"
        value={themeMode}
        options={modes}
        onChange={(mode) => apply(mode, accent, radius)}
      />
      <Segmented
        label="Radius"
        value={radius}
        options={radii}
        onChange={(scale) => apply(themeMode, accent, scale)}
      />
      <fieldset className="segmented">
        <legend>Accent</legend>
        <div className="swatches">
          <button
            type="button"
            className="swatch swatch-default"
            aria-label="Default accent"
            aria-pressed={accent === undefined}
            onClick={() => apply(themeMode, undefined, radius)}
          />
          {accents.map(({ name, dark, light }) => {
            const colour = themeMode === 'light' ? light : dark
            return (
              <Swatch
                key={name}
                name={name}
                colour={colour}
                chosen={accent === colour}
                onChoose={() => apply(themeMode, colour, radius)}
              />
            )
          })}
          <label className="swatch-custom">
            <span className="hw-visually-hidden">Any accent</span>
            <input
              type="color"
              value={accent ?? '#74c4ff'}
              data-testid="theme-accent-input"
              onChange={(event) => apply(themeMode, event.target.value, radius)}
            />
          </label>
        </div>
      </fieldset>
      <div className="output">
        <code data-testid="theme-code">{call}</code>
        <CopyButton text={call} label="Copy theme" />
      </div>
    </Panel>
  )
}

interface SwatchProps {
  name: string
  colour: string
  chosen: boolean
  onChoose: () => void
}

function Swatch({ name, colour, chosen, onChoose }: SwatchProps) {
  return (
    <button
      type="button"
      className="swatch"
      aria-label={`${name} accent`}
      aria-pressed={chosen}
      style={{ backgroundColor: colour }}
      onClick={onChoose}
    />
  )
}

function optionsText(accent: string | undefined, radius: RadiusScale): string {
  const parts = [accent && `accent: '${accent}'`, radius !== 'medium' && `radius: '${radius}'`].filter(
    Boolean,
  )
  return parts.length > 0 ? `{ ${parts.join(', ')} }` : ''
}
