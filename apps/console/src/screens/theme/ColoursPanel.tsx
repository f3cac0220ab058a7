import type { ThemeMode } from '@hawser/core'
import { Button, IconButton, RetryIcon, TextField } from '@hawser/ui'
import { useState } from 'react'
import { Segmented } from '../../parts/fields.tsx'
import { parseHex, type Rgba } from '../../studio/contrast.ts'
import type { Design, Palette } from '../../studio/design.ts'
import { resolveColours } from '../../studio/resolveColours.ts'
import { texts } from '../../texts.ts'

export interface ColoursPanelProps {
  design: Design
  /** The palette that is shown and edited. */
  mode: ThemeMode
  onChange: (change: Partial<Design>) => void
  onMode: (mode: ThemeMode) => void
}

const variables = {
  accent: '--hw-color-accent',
  background: '--hw-color-background',
  surface: '--hw-color-surface',
  text: '--hw-color-text',
} as const satisfies Record<keyof Palette, string>

const names = Object.keys(variables) as (keyof Palette)[]

/** The theme, and the colours of the palette that is shown. */
export function ColoursPanel({ design, mode, onChange, onMode }: ColoursPanelProps) {
  const { theme } = texts
  const palette = design[mode]
  const other = mode === 'dark' ? 'light' : 'dark'
  const isForOneTheme = design.mode === 'system' && palette.accent && !design[other].accent
  const shown = resolveColours(design, mode, Object.values(variables))
  const set = (name: keyof Palette, colour: string | undefined) => {
    const { [name]: _, ...others } = palette
    onChange({ [mode]: colour ? { ...others, [name]: colour } : others })
  }
  return (
    <>
      <Segmented
        label={theme.mode}
        value={design.mode}
        options={[
          ['system', theme.modes.system],
          ['dark', theme.modes.dark],
          ['light', theme.modes.light],
        ]}
        onChange={(chosen) => onChange({ mode: chosen })}
      />
      {design.mode === 'system' && (
        <Segmented
          label={theme.showing}
          value={mode}
          options={[
            ['dark', theme.modes.dark],
            ['light', theme.modes.light],
          ]}
          onChange={onMode}
        />
      )}
      <fieldset className="colours">
        <legend className="hw-field-label">{theme.coloursOf[mode]}</legend>
        {names.map((name) => (
          <ColourField
            key={`${mode} ${name}`}
            name={theme.colours[name]}
            colour={palette[name]}
            shown={hexOf(shown[variables[name]])}
            onChange={(colour) => set(name, colour)}
          />
        ))}
      </fieldset>
      {isForOneTheme && (
        <Button
          size="small"
          variant="quiet"
          onClick={() => onChange({ [other]: { ...design[other], accent: palette.accent } })}
        >
          {theme.accentAlso[other]}
        </Button>
      )}
    </>
  )
}

interface ColourFieldProps {
  name: string
  /** Undefined for the built-in one. */
  colour: string | undefined
  /** The colour as it is seen: `#rrggbb`. */
  shown: string
  onChange: (colour: string | undefined) => void
}

function ColourField({ name, colour, shown, onChange }: ColourFieldProps) {
  const { theme } = texts
  const [typed, setTyped] = useState<string>()
  const isWrong = typed !== undefined && typed !== '' && !parseHex(typed)
  return (
    <div className="colour">
      <label className="swatch">
        <span className="hw-visually-hidden">{name}</span>
        <input
          type="color"
          value={shown}
          onChange={(event) => {
            setTyped(undefined)
            onChange(event.target.value)
          }}
        />
      </label>
      <TextField
        label={name}
        labelStyle="above"
        placeholder={theme.builtIn}
        maxLength={7}
        value={typed ?? colour ?? ''}
        error={isWrong ? theme.invalidColour : undefined}
        onChange={(event) => {
          const text = event.target.value
          setTyped(text)
          if (text === '') onChange(undefined)
          else if (parseHex(text)) onChange(text.toLowerCase())
        }}
        onBlur={() => setTyped(undefined)}
      />
      <IconButton
        label={theme.unset(name)}
        disabled={!colour}
        onClick={() => {
          setTyped(undefined)
          onChange(undefined)
        }}
      >
        <RetryIcon />
      </IconButton>
    </div>
  )
}

function hexOf([red, green, blue]: Rgba): string {
  return `#${[red, green, blue].map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`
}
