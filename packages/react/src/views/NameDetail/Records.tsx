import { type RecordKind, recordKinds, recordLink } from '@hawser/core'
import { textFor } from '@hawser/texts/translated'
import { CopyButton, ExternalIcon } from '@hawser/ui'
import { useOwnNamesTexts } from '../../locale/useOwnNamesTexts.ts'

/** The profile records of a name. Links open without a referrer. */
export function Records({ attributes }: { attributes: Readonly<Record<string, string>> }) {
  const texts = useOwnNamesTexts()
  const keys = orderedKeys(attributes)
  if (keys.length === 0 && attributes.bio) return null
  return (
    <section className="hw-name-section">
      <h3 className="hw-heading">{texts.records}</h3>
      {keys.length === 0 ? (
        <p className="hw-name-silent">{texts.noRecords}</p>
      ) : (
        <dl className="hw-records">
          {keys.map((key) => (
            <RecordRow key={key} name={key} value={attributes[key] ?? ''} />
          ))}
        </dl>
      )}
    </section>
  )
}

function RecordRow({ name, value }: { name: string; value: string }) {
  const texts = useOwnNamesTexts()
  const label = textFor(texts.labels, name) ?? name
  const link = recordLink(name, value)
  const isProse = recordKinds.find(({ key }) => key === name)?.form === 'text'
  return (
    <div className="hw-record" data-testid={`name-record-${name}`}>
      <dt>{label}</dt>
      <dd>
        {link ? (
          <a className="hw-record-link" href={link} target="_blank" rel="noopener noreferrer">
            <bdi>{value}</bdi>
            <ExternalIcon size={16} />
          </a>
        ) : (
          <bdi>{value}</bdi>
        )}
        {!isProse && <CopyButton text={value} label={texts.copyRecord(label)} />}
      </dd>
    </div>
  )
}

/** Records in the order of the form, without the bio, which is shown below the name; then records of other keys. */
function orderedKeys(attributes: Readonly<Record<string, string>>): string[] {
  const known = recordKinds.map(({ key }: RecordKind) => key)
  const place = (key: string) => (known.includes(key) ? known.indexOf(key) : known.length)
  return Object.keys(attributes)
    .filter((key) => key !== 'bio' && attributes[key])
    .sort((a, b) => place(a) - place(b) || a.localeCompare(b))
}
