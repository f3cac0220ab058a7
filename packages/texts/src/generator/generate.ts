import { readFileSync } from 'node:fs'
import { type Catalogue, compileCatalogue, type Entry, entriesOf, hasPluralRules } from './compile.ts'

/** A language, as `languages/index.json` has it. */
interface LanguageFacts {
  /** In English. */
  readonly name: string
  readonly direction: 'ltr' | 'rtl'
}

/** The files of a language. */
export const areas = ['modal', 'core', 'frame', 'handoff', 'preview', 'asks'] as const
export type Area = (typeof areas)[number]

/** The texts of a language, by file. */
export type Language = Readonly<Record<Area, Catalogue>>

const folder = new URL('../../languages/', import.meta.url)

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(new URL(path, folder), 'utf8'))
}

/** Returns the languages by their tags, English first. */
export function readLanguages(): Readonly<Record<string, LanguageFacts>> {
  return readJson('index.json') as Record<string, LanguageFacts>
}

/** Returns the texts of a language. */
export function readLanguage(tag: string): Language {
  return Object.fromEntries(areas.map((area) => [area, readJson(`${tag}/${area}.json`)])) as Language
}

/** Returns the modules that are made of the languages, by their paths in `src/gen`. */
export function generate(): ReadonlyMap<string, string> {
  const languages = readLanguages()
  const english = readLanguage('en')
  const files = new Map<string, string>()
  for (const { name, texts, imports = [], described } of englishModules(english))
    files.set(`en/${name}.ts`, moduleOf(imports, described, `export const ${name} = {`, texts, '} as const'))
  files.set('types.ts', types(english))
  const others = Object.entries(languages).filter(([tag]) => tag !== 'en')
  for (const [tag, facts] of others) {
    const language = readLanguage(tag)
    files.set(`${tag}/locale.ts`, locale(tag, facts, language))
    files.set(`${tag}/preview.ts`, preview(tag, facts, language))
    files.set(`${tag}/asks.ts`, asks(tag, facts, language, english))
    files.set(`${tag}/modal.ts`, modal(tag, facts, language, english))
    files.set(`${tag}/frame.ts`, frame(tag, facts, language, english))
    files.set(`${tag}/handoff.ts`, handoff(tag, facts, language, english))
  }
  files.set('languages.ts', list(others))
  files.set('locales.ts', localeList(others))
  files.set('frameChunks.ts', frameList(others))
  files.set('asks.ts', asksList(others))
  return files
}

interface EnglishModule {
  readonly name: string
  readonly described: string
  readonly imports?: readonly string[]
  readonly texts: readonly string[]
}

/** English is split by what loads it: each part of the modal, each catalogue of core, the frame, the errors of the wallet, and the wallet page. */
function englishModules({ modal, core, frame, handoff, preview, asks }: Language): EnglishModule[] {
  const catalogues = [...entriesOf(modal), ...entriesOf(core)].filter(([, texts]) => hasEnglish(texts))
  const parts = catalogues.map(([name, texts]) => ({
    name,
    described: String(modal[`@${name}`] ?? core[`@${name}`]),
    texts: compileCatalogue(texts as Catalogue, { tag: 'en', english: texts as Catalogue }),
  }))
  const { walletErrors, ...rest } = frame
  return [
    ...parts,
    {
      name: 'walletErrors',
      described: String(frame['@walletErrors']),
      texts: compileCatalogue(walletErrors as Catalogue, { tag: 'en', english: walletErrors as Catalogue }),
    },
    {
      name: 'frame',
      described: 'The texts of the frame. A `{name}` is where a value or a link is put.',
      imports: [importOf('{ walletErrors }', './walletErrors.ts')],
      texts: [...compileCatalogue(rest, { tag: 'en', english: rest }), 'walletErrors,'],
    },
    {
      name: 'handoff',
      described: 'The texts of the wallet page.',
      texts: compileCatalogue(handoff, { tag: 'en', english: handoff }),
    },
    {
      name: 'preview',
      described:
        'What the warnings of previews say, where the sentence of the service is not that of the frame.',
      texts: compileCatalogue(preview, { tag: 'en', english: preview }),
    },
    {
      name: 'asks',
      described: 'What the frame and the wallet page say of what a site asks.',
      texts: compileCatalogue(asks, { tag: 'en', english: asks }),
    },
  ]
}

/** Reports whether a catalogue has English texts: those of the services and of the wallet are said by them, and here only described. */
function hasEnglish(texts: Entry): boolean {
  return entriesOf(texts as Catalogue).length > 0
}

/** Returns the names of the parts of the modal. The buttons are on the page before the modal is. */
function featuresOf(modal: Catalogue): string[] {
  return entriesOf(modal).flatMap(([name]) => (name === 'buttons' ? [] : name))
}

/** The shape of the texts of every language. */
function types({ modal, core }: Language): string {
  const features = featuresOf(modal)
  const catalogues = entriesOf(core).map(([name]) => name)
  const spoken = catalogues.filter((name) => hasEnglish(core[name] as Entry))
  const member = (name: string) => {
    const isSpoken = features.includes(name) || spoken.includes(name)
    return `  readonly ${name}: ${isSpoken ? `Translated<typeof ${name}>` : 'Readonly<Record<string, string>>'}`
  }
  return fileOf([
    ...[...features, ...spoken, 'asks', 'frame', 'handoff']
      .sort()
      .map((name) => importOf(`type { ${name} }`, `./en/${name}.ts`)),
    importOf('type { Translated }', '../translated.ts'),
    '',
    '/** The texts of the modal, by feature. */',
    'export interface ModalFeatures {',
    ...features.map(member),
    '}',
    '',
    '/** What core reports and throws. */',
    'export interface CoreCatalogues {',
    ...catalogues.map(member),
    '}',
    '',
    '/** The texts of the frame. */',
    'export type FrameCatalogue = Translated<typeof frame>',
    '',
    '/** The texts of the wallet page. */',
    'export type HandoffTexts = Translated<typeof handoff>',
    '',
    '/** What the frame and the wallet page say of what a site asks. */',
    'export type AsksTexts = Translated<typeof asks>',
  ])
}

function locale(tag: string, { name, direction }: LanguageFacts, { modal }: Language): string {
  const english = modal.buttons as Catalogue
  const buttons = compileCatalogue(english, { tag, english })
  return fileOf([
    importOf('{ defineLocale }', '../../modal/defineLocale.ts'),
    '',
    `/** ${name}${direction === 'rtl' ? ', written from right to left' : ''}. */`,
    `export const ${identifier(tag)} = defineLocale(`,
    `  { tag: '${tag}', direction: '${direction}', buttons: { ${buttons.join(' ').slice(0, -1)} } },`,
    "  () => import('./modal.ts'),",
    ')',
  ])
}

function preview(tag: string, { name }: LanguageFacts, language: Language): string {
  return moduleOf(
    [importOf('type { WarningTexts }', '../../preview/warningTexts.ts')],
    `What the warnings and reasons of a preview say in ${name}.`,
    'export const warnings: WarningTexts = {',
    compileCatalogue(language.preview, { tag, english: language.preview }),
    '}',
  )
}

function asks(tag: string, { name }: LanguageFacts, language: Language, english: Language): string {
  return moduleOf(
    [importOf('type { AsksTexts }', '../types.ts')],
    `What the frame and the wallet page say of what a site asks in ${name}.`,
    'export const asks: AsksTexts = {',
    compileCatalogue(language.asks, { tag, english: english.asks }),
    '}',
  )
}

function modal(
  tag: string,
  { name, direction }: LanguageFacts,
  language: Language,
  english: Language,
): string {
  const parts = featuresOf(english.modal).flatMap((feature) => {
    const original = english.modal[feature] as Catalogue
    const texts = compileCatalogue(language.modal[feature] as Catalogue, { tag, english: original })
    return [`${feature}: {`, ...texts.map(indented), '},']
  })
  const core = compileCatalogue(language.core, { tag, english: english.core }).map(indented)
  const texts = [...parts, 'core: {', ...core, '},', 'warnings,']
  return moduleOf(
    [
      ...pluralImport(texts),
      importOf('{ modalTexts }', '../../modal/modalTexts.ts'),
      importOf('{ warnings }', './preview.ts'),
      ...pluralRules(tag, texts),
    ],
    `The texts of the modal in ${name}.`,
    `export const texts = modalTexts('${direction}', {`,
    texts,
    '})',
  )
}

function frame(tag: string, { name }: LanguageFacts, language: Language, english: Language): string {
  const texts = [...compileCatalogue(language.frame, { tag, english: english.frame }), 'warnings,']
  return moduleOf(
    [
      ...pluralImport(texts),
      importOf('type { FrameTexts }', '../../frame/texts.ts'),
      importOf('{ warnings }', './preview.ts'),
      ...pluralRules(tag, texts),
    ],
    `The texts of the frame in ${name}.`,
    'export const texts: FrameTexts = {',
    texts,
    '}',
  )
}

function handoff(tag: string, { name }: LanguageFacts, language: Language, english: Language): string {
  const texts = compileCatalogue(language.handoff, { tag, english: english.handoff })
  return moduleOf(
    [...pluralImport(texts), importOf('type { HandoffTexts }', '../types.ts'), ...pluralRules(tag, texts)],
    `The texts of the wallet page in ${name}.`,
    'export const texts: HandoffTexts = {',
    texts,
    '}',
  )
}

/** The languages other than English, and where the wallet page and previews load them from. */
function list(others: readonly [tag: string, facts: LanguageFacts][]): string {
  const tags = others.map(([tag]) => `'${tag}'`).join(', ')
  return fileOf([
    importOf('type { WarningTexts }', '../preview/warningTexts.ts'),
    importOf('type { HandoffTexts }', './types.ts'),
    '',
    '/** The tags of the languages other than English. */',
    `export const languageTags = [${tags}] as const`,
    '',
    '/** A language other than English, by its tag. */',
    'export type LanguageTag = (typeof languageTags)[number]',
    '',
    '/** A language by its tag: `de`. `auto` is the first of the visitor’s languages that is supported, else that of the page, else English. */',
    "export type LocaleName = LanguageTag | 'en' | 'auto'",
    '',
    '/** The tags of the languages that are written from right to left. */',
    `export const rightToLeft: readonly string[] = [${others
      .filter(([, { direction }]) => direction === 'rtl')
      .map(([tag]) => `'${tag}'`)
      .join(', ')}]`,
    '',
    '/** Loads the texts of the wallet page in a language. */',
    'export const handoffChunks: Readonly<Record<LanguageTag, () => Promise<{ readonly texts: HandoffTexts }>>> = {',
    ...chunksOf(others, 'handoff'),
    '}',
    '',
    '/** Loads what the warnings and reasons of a preview say in a language. */',
    'export const previewChunks: Readonly<Record<LanguageTag, () => Promise<{ readonly warnings: WarningTexts }>>> = {',
    ...chunksOf(others, 'preview'),
    '}',
  ])
}

/** In a file of its own: a visitor of the frame who reads English does not load it. */
function frameList(others: readonly [tag: string, facts: LanguageFacts][]): string {
  return fileOf([
    importOf('type { FrameTexts }', '../frame/texts.ts'),
    importOf('type { LanguageTag }', './languages.ts'),
    '',
    '/** Loads the texts of the frame in a language. */',
    'export const frameChunks: Readonly<Record<LanguageTag, () => Promise<{ readonly texts: FrameTexts }>>> = {',
    ...chunksOf(others, 'frame'),
    '}',
  ])
}

/** In a file of its own: the frame does not load it before a login. */
function asksList(others: readonly [tag: string, facts: LanguageFacts][]): string {
  return fileOf([
    importOf('type { LanguageTag }', './languages.ts'),
    importOf('type { AsksTexts }', './types.ts'),
    '',
    '/** Loads what is said of what a site asks in a language. */',
    'export const asksChunks: Readonly<Record<LanguageTag, () => Promise<{ readonly asks: AsksTexts }>>> = {',
    ...chunksOf(others, 'asks'),
    '}',
  ])
}

function chunksOf(others: readonly [tag: string, facts: LanguageFacts][], area: Area): string[] {
  return others.map(([tag]) => `  '${tag}': () => import('./${tag}/${area}.ts'),`)
}

function localeList(others: readonly [tag: string, facts: LanguageFacts][]): string {
  return fileOf([
    ...others.map(([tag]) => importOf(`{ ${identifier(tag)} }`, `./${tag}/locale.ts`)),
    importOf('type { Locale }', '../modal/locale.ts'),
    '',
    '/** The languages of the modal other than English, which is built in. */',
    `export const locales: readonly Locale[] = [${others.map(([tag]) => identifier(tag)).join(', ')}]`,
  ])
}

function moduleOf(
  head: readonly string[],
  description: string,
  start: string,
  texts: readonly string[],
  end: string,
): string {
  return fileOf([
    ...head,
    ...(head.length > 0 ? [''] : []),
    `/** ${description} */`,
    start,
    ...texts.map(indented),
    end,
  ])
}

function fileOf(lines: readonly string[]): string {
  return `${['// Generated from packages/texts/languages by make generate. Do not edit.', '', ...lines].join('\n')}\n`
}

function importOf(what: string, from: string): string {
  return `import ${what} from '${from}'`
}

function pluralImport(texts: readonly string[]): string[] {
  return hasPluralRules(texts) ? [importOf('{ pluralsOf }', '../../format/plurals.ts')] : []
}

function pluralRules(tag: string, texts: readonly string[]): string[] {
  return hasPluralRules(texts) ? ['', `const plural = pluralsOf('${tag}')`] : []
}

function indented(line: string): string {
  return `  ${line}`
}

/** Returns the name of a language's export: `ptBR`. */
function identifier(tag: string): string {
  return tag.replaceAll('-', '')
}
