import { Checkbox, ExternalIcon, SearchIcon, SettingsIcon, Tag, TextField } from '@hawser/ui'
import { useState } from 'react'
import { useConsole } from '../api/ApiContext.ts'
import { useRead } from '../api/useRead.ts'
import { type Setting, SettingSource } from '../gen/hawser/admin/v1/settings_pb.ts'
import { DataTable } from '../parts/DataTable.tsx'
import { Page } from '../parts/Page.tsx'
import { texts } from '../texts.ts'

/** How many settings are shown at first, and how many more by each press: all of them are read at once. */
const PAGE = 50

/** The configuration as it holds, and where each value comes from. */
export function SettingsScreen() {
  const { api, me } = useConsole()
  const { settings } = texts
  const [query, setQuery] = useState('')
  const [isOnlySet, setOnlySet] = useState(false)
  const [shown, setShown] = useState(PAGE)
  const reading = useRead('settings', (signal) => api.settings.listSettings({}, { signal }))
  const rows = reading.data?.settings.filter((setting) => matches(setting, query, isOnlySet))
  return (
    <Page
      title={texts.screens.settings}
      lead={
        <>
          {settings.lead}
          {reading.data && <> {settings.target(reading.data.target)}</>}
        </>
      }
    >
      <div className="filters">
        <TextField
          label={settings.search}
          type="search"
          placeholder={settings.search}
          icon={<SearchIcon />}
          value={query}
          onChange={(event) => setQuery(event.target.value)}
        />
        <Checkbox checked={isOnlySet} onChange={setOnlySet}>
          {settings.onlySet}
        </Checkbox>
      </div>
      <div className="card" data-flush>
        <DataTable
          label={texts.screens.settings}
          data-testid="settings"
          rows={rows?.slice(0, shown)}
          hasMore={rows !== undefined && rows.length > shown}
          onMore={() => setShown(shown + PAGE)}
          rowKey={({ key }) => key}
          failure={reading.failure}
          onRetry={reading.reload}
          empty={{ icon: <SettingsIcon size={26} />, title: settings.empty, text: settings.emptyText }}
          columns={[
            {
              key: 'key',
              title: texts.screens.settings,
              isName: true,
              cell: (setting) => <Name setting={setting} documentation={me.documentation} />,
            },
            { key: 'value', title: settings.value, cell: (setting) => <Value setting={setting} /> },
            { key: 'source', title: settings.source, cell: (setting) => <Source setting={setting} /> },
          ]}
        />
      </div>
    </Page>
  )
}

function matches({ key, description, source }: Setting, query: string, isOnlySet: boolean): boolean {
  if (isOnlySet && source === SettingSource.DEFAULT) return false
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  const text = `${key} ${description}`.toLowerCase()
  return words.every((word) => text.includes(word))
}

function Name({ setting, documentation }: { setting: Setting; documentation: string }) {
  return (
    <span className="setting">
      {documentation && setting.document ? (
        <a className="link" href={`${documentation}${setting.document}`} target="_blank" rel="noreferrer">
          <code>{setting.key}</code>
          <ExternalIcon size={14} />
        </a>
      ) : (
        <code>{setting.key}</code>
      )}
      <span className="aside">{setting.description}</span>
    </span>
  )
}

function Value({ setting: { secret, set, value, source, defaultValue } }: { setting: Setting }) {
  const { settings } = texts
  if (secret)
    return <Tag tone={set ? 'success' : 'neutral'}>{set ? settings.secretSet : settings.secretUnset}</Tag>
  const isChanged = source !== SettingSource.DEFAULT && defaultValue !== value
  return (
    <span className="setting">
      {value.trim() ? (
        <code className="value">{value.trim()}</code>
      ) : (
        <span className="nothing">{settings.emptyValue}</span>
      )}
      {isChanged && (
        <span className="aside">
          {settings.defaultIs}:{' '}
          {defaultValue.trim() ? <code>{defaultValue.trim()}</code> : settings.emptyValue}
        </span>
      )}
    </span>
  )
}

function Source({ setting: { source, origin } }: { setting: Setting }) {
  return (
    <span className="setting">
      <span>
        <Tag tone={source === SettingSource.DEFAULT ? 'neutral' : 'accent'}>
          {texts.settings.sources[source]}
        </Tag>
      </span>
      {origin && <code className="aside">{origin}</code>}
    </span>
  )
}
