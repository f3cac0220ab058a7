import type { LocaleName, Social, ThemeMode } from '@hawser/core'
import * as knownNetworks from '@hawser/core/networks'
import { readableOn } from './contrast.ts'
import { type Design, initialDesign, paletteVariables, toggles, variablesOf } from './design.ts'

/** Where the exported code connects to. */
export interface Site {
  readonly projectId: string
  /** Origin of the gateway. */
  readonly gatewayUrl: string
  /** Origin of the embedded wallet; empty if the suite does not serve one. */
  readonly frameOrigin: string
  /** CAIP-2 ids of the networks to list. */
  readonly chains: readonly string[]
}

/** Names of `@hawser/core/networks` by their CAIP-2 id. */
const networkNames: ReadonlyMap<string, string> = new Map(
  Object.entries(knownNetworks).map(([name, { caipNetworkId }]) => [caipNetworkId, name]),
)

/** The networks of a site whose gateway serves none that the packages know. */
const defaultNetworks = ['ethereum', 'base']

/** Returns a module for a site with React and a bundler. */
export function reactCode(design: Design, site: Site): string {
  const networks = networksOf(site)
  const themes = themeNames(design)
  return [
    `import { ${connectorNames(design).join(', ')} } from '@hawser/connectors'`,
    `import { createHawser } from '@hawser/core'`,
    `import { ${networks.join(', ')} } from '@hawser/core/networks'`,
    `import { ${['ConnectButton', ...themes, 'HawserProvider'].join(', ')} } from '@hawser/react'`,
    `import '@hawser/react/styles.css'`,
    ``,
    `const hawser = createHawser({`,
    ...indent(optionLines(design, site, networks)),
    `})`,
    ``,
    `export function App() {`,
    `  return (`,
    `    <HawserProvider hawser={hawser}>`,
    `      <ConnectButton />`,
    `    </HawserProvider>`,
    `  )`,
    `}`,
    ``,
  ].join('\n')
}

/** Returns the elements and the script of a page without a bundler, which has `@hawser/browser` in its folder `hawser`. */
export function scriptCode(design: Design, site: Site): string {
  const networks = networksOf(site)
  const names = [...networks, ...connectorNames(design), ...themeNames(design), 'startHawser']
  return [
    `<hawser-button></hawser-button>`,
    ``,
    `<script type="module">`,
    `  import { ${names.join(', ')} } from './hawser/hawser.js'`,
    ``,
    `  startHawser({`,
    ...indent(indent(optionLines(design, site, networks))),
    `  })`,
    `</script>`,
    ``,
  ].join('\n')
}

/** Returns the custom properties that differ from the built-in ones, as a style sheet for a site's own elements. */
export function cssCode(design: Design): string {
  const modes: readonly ThemeMode[] = design.mode === 'system' ? ['dark', 'light'] : [design.mode]
  const blocks = modes.map((mode) => {
    const lines = Object.entries(variablesOf(design, mode)).map(([name, value]) => `${name}: ${value};`)
    const body = lines.length > 0 ? lines : [`/* as built in: see theme.css of @hawser/ui */`]
    const root = [`:root {`, `  color-scheme: ${mode};`, ...indent(body), `}`]
    return mode === 'light' && modes.length > 1
      ? [`@media (prefers-color-scheme: light) {`, ...indent(root), `}`]
      : root
  })
  return `${blocks.map((lines) => lines.join('\n')).join('\n\n')}\n`
}

function optionLines(design: Design, site: Site, networks: readonly string[]): string[] {
  const features = featureLines(design)
  return [
    `baseUrl: ${quote(site.gatewayUrl)},`,
    `projectId: ${quote(site.projectId)},`,
    `networks: [${networks.join(', ')}],`,
    `connectors: [${connectorCalls(design, site).join(', ')}],`,
    ...themeLines(design),
    ...(features.length > 0 ? [`features: {`, ...indent(features), `},`] : []),
    ...(design.allWallets === 'SHOW' ? [] : [`allWallets: ${quote(design.allWallets)},`]),
    ...localeLines(design.locale),
  ]
}

function localeLines(locale: LocaleName): string[] {
  return locale === 'en' ? [] : [`locale: ${quote(locale)},`]
}

/** Returns the features that differ from those of a site that sets none. */
function featureLines({ toggles: chosen, socials }: Design): string[] {
  const changed = toggles.filter((name) => chosen[name] !== initialDesign.toggles[name])
  return [
    ...changed.map((name) => `${name}: ${chosen[name]},`),
    ...(isSame(socials, initialDesign.socials) ? [] : [`socials: ${socialsText(socials)},`]),
  ]
}

function socialsText(socials: readonly Social[]): string {
  return socials.length === 0 ? 'false' : `[${socials.map(quote).join(', ')}]`
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((each, at) => each === b[at])
}

function themeNames({ mode }: Design): string[] {
  return mode === 'system' ? ['darkTheme', 'lightTheme'] : [`${mode}Theme`]
}

function themeLines(design: Design): string[] {
  if (design.mode !== 'system') return [`...${themeCall(design, design.mode)},`]
  return [
    `...(matchMedia('(prefers-color-scheme: light)').matches`,
    `  ? ${themeCall(design, 'light')}`,
    `  : ${themeCall(design, 'dark')}),`,
  ]
}

function themeCall(design: Design, mode: ThemeMode): string {
  const { accent } = design[mode]
  const variables = Object.entries(paletteVariables(design[mode], mode))
  const options = [
    ...(accent ? [`accent: ${quote(accent)}`, `onAccent: ${quote(readableOn(accent))}`] : []),
    ...(design.radius === 'medium' ? [] : [`radius: ${quote(design.radius)}`]),
    ...(design.fontFamily ? [`fontFamily: ${quote(design.fontFamily)}`] : []),
    ...(variables.length > 0
      ? [
          `vars: { ${variables.map(([name, value]) => `${quote(name)}: ${quote(String(value))}`).join(', ')} }`,
        ]
      : []),
  ]
  return `${mode}Theme(${options.length > 0 ? `{ ${options.join(', ')} }` : ''})`
}

/** The connectors in the order of the design; a page needs one. */
function connectorNames({ wallets }: Design): string[] {
  return wallets.length > 0 ? [...wallets] : ['injected']
}

function connectorCalls(design: Design, { frameOrigin }: Site): string[] {
  return connectorNames(design).map((name) =>
    name === 'embeddedWallet' && frameOrigin
      ? `embeddedWallet({ frameOrigin: ${quote(frameOrigin)} })`
      : `${name}()`,
  )
}

function networksOf({ chains }: Site): string[] {
  const known = chains.flatMap((chain) => networkNames.get(chain) ?? [])
  return known.length > 0 ? known : defaultNetworks
}

/** Returns a string literal that is also safe inside a script element of a page. */
function quote(text: string): string {
  const escaped = text.replace(/[\\']/g, '\\$&').replace(/\n/g, '\\n').replace(/</g, '\\x3c')
  return `'${escaped}'`
}

function indent(lines: readonly string[]): string[] {
  return lines.map((line) => (line ? `  ${line}` : line))
}
