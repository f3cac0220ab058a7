import type { ThemeMode } from '@hawser/core'
import { Button, Tabs } from '@hawser/ui'
import { useDeferredValue, useEffect, useMemo, useState } from 'react'
import { useConsole } from '../../api/ApiContext.ts'
import { useRead } from '../../api/useRead.ts'
import { Card } from '../../parts/Card.tsx'
import { CodeBlock } from '../../parts/CodeBlock.tsx'
import { Segmented, Select } from '../../parts/fields.tsx'
import { Page } from '../../parts/Page.tsx'
import { State } from '../../parts/State.tsx'
import { goTo } from '../../shell/route.ts'
import { useSystemTheme } from '../../shell/useSystemTheme.ts'
import { type Design, initialDesign, readDesign } from '../../studio/design.ts'
import { cssCode, reactCode, type Site, scriptCode } from '../../studio/exportCode.ts'
import { checkedVariables, checkPairs } from '../../studio/pairs.ts'
import { resolveColours } from '../../studio/resolveColours.ts'
import { texts } from '../../texts.ts'
import { useSite } from '../projects/useSite.ts'
import { ColoursPanel } from './ColoursPanel.tsx'
import { PreviewFrame } from './PreviewFrame.tsx'
import { FeaturesPanel, LanguagePanel, ShapePanel, WalletsPanel } from './panels.tsx'

/** The design is kept in this browser until it is started again. */
const STORED = 'hawser-console/design'
/** Placeholder for the project id in snippets while no project exists. */
const NO_PROJECT = '0'.repeat(32)

/** Designs the modal beside the modal itself, and shows the code for it. */
export default function ThemeScreen({ projectId }: { projectId: string | undefined }) {
  const { theme } = texts
  const system = useSystemTheme()
  const [design, setDesign] = useState(() => readDesign(localStorage.getItem(STORED)))
  const [chosen, setChosen] = useState<ThemeMode>()
  const [tab, setTab] = useState('colours')
  useEffect(() => localStorage.setItem(STORED, JSON.stringify(design)), [design])
  const mode = design.mode === 'system' ? (chosen ?? system) : design.mode
  const change = (part: Partial<Design>) => setDesign((before) => ({ ...before, ...part }))
  const panels = [
    ['colours', () => <ColoursPanel design={design} mode={mode} onChange={change} onMode={setChosen} />],
    ['shape', () => <ShapePanel design={design} onChange={change} />],
    ['features', () => <FeaturesPanel design={design} onChange={change} />],
    ['wallets', () => <WalletsPanel design={design} onChange={change} />],
    ['language', () => <LanguagePanel design={design} onChange={change} />],
  ] as const
  return (
    <Page
      title={texts.screens.theme}
      lead={theme.lead}
      actions={
        <Button size="small" variant="quiet" onClick={() => setDesign(initialDesign)}>
          {theme.reset}
        </Button>
      }
    >
      <div className="studio">
        <div className="studio-controls">
          <Card title={texts.screens.theme} hideTitle>
            <Tabs
              label={texts.screens.theme}
              selected={tab}
              onSelect={setTab}
              tabs={panels.map(([id, panel]) => ({
                id,
                label: theme.tabs[id],
                panel: () => <div className="panel-fields">{panel()}</div>,
              }))}
            />
          </Card>
          <Contrast design={design} mode={mode} />
        </div>
        <PreviewFrame design={design} mode={mode} />
      </div>
      <Code design={design} projectId={projectId} />
    </Page>
  )
}

function Contrast({ design, mode }: { design: Design; mode: ThemeMode }) {
  const { theme } = texts
  // A colour that is dragged comes many times a second.
  const settled = useDeferredValue(design)
  const pairs = useMemo(() => checkPairs(resolveColours(settled, mode, checkedVariables)), [settled, mode])
  const failing = pairs.filter(({ passes }) => !passes).length
  return (
    <Card
      title={theme.contrast}
      hint={theme.contrastHint}
      end={
        <span role="status">
          <State tone={failing > 0 ? 'error' : 'success'}>
            {failing > 0 ? theme.failing(failing) : theme.allPass}
          </State>
        </span>
      }
      data-testid="contrast"
    >
      <ul className="pairs">
        {pairs.map(({ name, ratio, passes }) => (
          <li key={name}>
            <span>{theme.pairs[name]}</span>
            <span className="ratio">{ratio.toFixed(1)}</span>
            <State tone={passes ? 'success' : 'error'}>{passes ? theme.passes : theme.fails}</State>
          </li>
        ))}
      </ul>
    </Card>
  )
}

type CodeKind = 'react' | 'script' | 'css'

const generators: Readonly<Record<CodeKind, (design: Design, site: Site) => string>> = {
  react: reactCode,
  script: scriptCode,
  css: cssCode,
}

function Code({ design, projectId }: { design: Design; projectId: string | undefined }) {
  const { api } = useConsole()
  const { theme } = texts
  const [kind, setKind] = useState<CodeKind>('react')
  const reading = useRead('projects', (signal) => api.projects.listProjects({}, { signal }))
  const projects = reading.data?.projects ?? []
  const id = projectId ?? projects[0]?.id
  const { site, isKnown } = useSite(id ?? NO_PROJECT)
  return (
    <Card title={theme.code} data-testid="theme-code">
      <div className="filters">
        <Segmented
          label={theme.code}
          labelStyle="hidden"
          value={kind}
          options={[
            ['react', theme.codeTabs.react],
            ['script', theme.codeTabs.script],
            ['css', theme.codeTabs.css],
          ]}
          onChange={setKind}
        />
        {id && kind !== 'css' && (
          <Select
            label={theme.project}
            labelStyle="hidden"
            value={id}
            options={projects.map((project) => [project.id, project.name] as const)}
            onChange={(chosen) => goTo('theme', chosen)}
          />
        )}
      </div>
      {kind === 'css' && <p className="aside">{theme.cssHint}</p>}
      {kind !== 'css' && reading.data && !id && <p className="aside">{theme.placeholderProject}</p>}
      {kind !== 'css' && isKnown === false && <p className="aside">{texts.projects.snippetUnknownUrl}</p>}
      <CodeBlock code={generators[kind](design, site)} label={theme.code.toLowerCase()} />
    </Card>
  )
}
