import type { Social } from '@hawser/core'
import { ArrowDownIcon, ArrowUpIcon, Checkbox, IconButton, Switch, TextField } from '@hawser/ui'
import { Segmented, Select } from '../../parts/fields.tsx'
import { type Design, socials, toggles, walletKinds } from '../../studio/design.ts'
import { texts } from '../../texts.ts'

export interface PanelProps {
  design: Design
  onChange: (change: Partial<Design>) => void
}

/** Fonts that every system has, by their name in texts.ts. */
const fonts: Readonly<Record<string, string>> = {
  '': '',
  serif: "ui-serif, Georgia, 'Noto Serif', serif",
  mono: 'ui-monospace, Menlo, Consolas, monospace',
  rounded: "ui-rounded, 'SF Pro Rounded', Nunito, 'Segoe UI', sans-serif",
}

/** Corners and type. */
export function ShapePanel({ design, onChange }: PanelProps) {
  const { theme } = texts
  const font = Object.keys(fonts).find((name) => fonts[name] === design.fontFamily) ?? 'own'
  return (
    <>
      <Segmented
        label={theme.radius}
        value={design.radius}
        options={[
          ['none', theme.radii.none],
          ['small', theme.radii.small],
          ['medium', theme.radii.medium],
          ['large', theme.radii.large],
        ]}
        onChange={(radius) => onChange({ radius })}
      />
      <Select
        label={theme.font}
        value={font}
        options={Object.entries(theme.fonts)}
        onChange={(name) => onChange({ fontFamily: fonts[name] ?? "'Inter', sans-serif" })}
      />
      {font === 'own' && (
        <div>
          <TextField
            label={theme.ownFont}
            labelStyle="above"
            maxLength={200}
            value={design.fontFamily}
            onChange={(event) => onChange({ fontFamily: event.target.value })}
          />
          <p className="field-hint">{theme.ownFontHint}</p>
        </div>
      )}
    </>
  )
}

/** What the modal offers. */
export function FeaturesPanel({ design, onChange }: PanelProps) {
  return (
    <div className="switches">
      {toggles.map((name) => (
        <Switch
          key={name}
          label={texts.theme.toggles[name]}
          checked={design.toggles[name]}
          onChange={(on) => onChange({ toggles: { ...design.toggles, [name]: on } })}
        />
      ))}
    </div>
  )
}

/** The wallets and the logins, and their order. */
export function WalletsPanel({ design, onChange }: PanelProps) {
  const { theme } = texts
  const setWallet = (kind: Design['wallets'][number], on: boolean) =>
    onChange({ wallets: walletKinds.filter((each) => (each === kind ? on : design.wallets.includes(each))) })
  return (
    <>
      <div className="checkboxes">
        {walletKinds.map((kind) => (
          <Checkbox key={kind} checked={design.wallets.includes(kind)} onChange={(on) => setWallet(kind, on)}>
            {theme.walletKinds[kind]}
          </Checkbox>
        ))}
      </div>
      <Segmented
        label={theme.allWallets}
        value={design.allWallets}
        options={[
          ['SHOW', theme.allWalletsOptions.SHOW],
          ['ONLY_MOBILE', theme.allWalletsOptions.ONLY_MOBILE],
          ['HIDE', theme.allWalletsOptions.HIDE],
        ]}
        onChange={(allWallets) => onChange({ allWallets })}
      />
      {design.wallets.includes('embeddedWallet') && (
        <Socials chosen={design.socials} onChange={(chosen) => onChange({ socials: chosen })} />
      )}
    </>
  )
}

function Socials({ chosen, onChange }: { chosen: readonly Social[]; onChange: (chosen: Social[]) => void }) {
  const { theme } = texts
  const rows = [...chosen, ...socials.filter((social) => !chosen.includes(social))]
  const move = (social: Social, by: number) => {
    const others = chosen.filter((each) => each !== social)
    onChange(others.toSpliced(chosen.indexOf(social) + by, 0, social))
  }
  return (
    <fieldset className="socials">
      <legend className="hw-field-label">{theme.socials}</legend>
      {rows.map((social) => {
        const at = chosen.indexOf(social)
        const name = theme.socialNames[social]
        return (
          <div key={social} className="social">
            <Checkbox
              checked={at >= 0}
              onChange={(on) => onChange(on ? [...chosen, social] : chosen.filter((each) => each !== social))}
            >
              {name}
            </Checkbox>
            <span className="moves">
              <IconButton label={theme.earlier(name)} disabled={at < 1} onClick={() => move(social, -1)}>
                <ArrowUpIcon size={18} />
              </IconButton>
              <IconButton
                label={theme.later(name)}
                disabled={at < 0 || at === chosen.length - 1}
                onClick={() => move(social, 1)}
              >
                <ArrowDownIcon size={18} />
              </IconButton>
            </span>
          </div>
        )
      })}
    </fieldset>
  )
}

/** The language of the modal. */
export function LanguagePanel({ design, onChange }: PanelProps) {
  const { theme } = texts
  const options = Object.entries(theme.languages) as [Design['locale'], string][]
  return (
    <Select
      label={theme.language}
      value={design.locale}
      options={options}
      onChange={(locale) => onChange({ locale })}
    />
  )
}
