import { type ContactsImport, importContacts, LONGEST_CONTACTS_FILE, writeContactsFile } from '@hawser/core'
import { Button } from '@hawser/ui'
import { useRef, useState } from 'react'
import { useHawser } from '../../hooks/useHawser.ts'
import { useHawserState } from '../../hooks/useHawserState.ts'
import { useContactsTexts } from '../../locale/useContactsTexts.ts'

const FILE_NAME = 'hawser-contacts.json'
/** Browsers read the file of a link after it was pressed. */
const FILE_LIFETIME_MS = 10_000

/** Saves the contacts to a file, and adds those of one. */
export function ContactsFile() {
  const texts = useContactsTexts()
  const hawser = useHawser()
  const contacts = useHawserState(hawser.contacts, ({ list }) => list)
  const input = useRef<HTMLInputElement>(null)
  const [outcome, setOutcome] = useState<ContactsImport>()

  function save() {
    const url = URL.createObjectURL(new Blob([writeContactsFile(contacts)], { type: 'application/json' }))
    const link = Object.assign(document.createElement('a'), { href: url, download: FILE_NAME })
    link.click()
    hawser.clock.after(FILE_LIFETIME_MS, () => URL.revokeObjectURL(url))
  }

  async function take(file: File | undefined) {
    if (!file) return
    try {
      const text = file.size > LONGEST_CONTACTS_FILE ? '' : await file.text()
      setOutcome(await importContacts(hawser, text))
    } catch {
      setOutcome({ status: 'unreadable' })
    }
  }
  return (
    <>
      <div className="hw-contacts-file">
        <Button disabled={contacts.length === 0} data-testid="contacts-export" onClick={save}>
          {texts.export}
        </Button>
        <Button data-testid="contacts-import" onClick={() => input.current?.click()}>
          {texts.import}
        </Button>
        <input
          ref={input}
          type="file"
          accept=".json,application/json"
          hidden
          data-testid="contacts-file"
          onChange={(event) => {
            void take(event.target.files?.[0])
            // The same file can be taken again.
            event.target.value = ''
          }}
        />
      </div>
      <div role="status" data-testid="contacts-imported">
        {outcome && <ImportOutcome outcome={outcome} />}
      </div>
    </>
  )
}

/** Says what was taken of a file, and what was refused. */
function ImportOutcome({ outcome }: { outcome: ContactsImport }) {
  const { imported } = useContactsTexts()
  if (outcome.status !== 'read') return <p className="hw-note">{imported[outcome.status]}</p>
  const { added, known, refused } = outcome
  return (
    <div className="hw-note">
      <p>
        {imported.added(added)} {known > 0 && imported.known(known)}
      </p>
      {refused.length > 0 && (
        <>
          <p>{imported.refused}</p>
          <ul className="hw-contacts-refused">
            {refused.map(({ place, name, why }) => (
              <li key={place}>
                <bdi>{name || imported.entry(place)}</bdi>: {imported.why[why]}
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  )
}
