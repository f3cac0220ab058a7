import {
  acceptName,
  editRecords,
  editRelease,
  editTransfer,
  isChanging,
  type NameRecord,
  showToast,
  stopChange,
  thrownMessage,
} from '@hawser/core'
import {
  Avatar,
  Button,
  ChevronRightIcon,
  CloseIcon,
  CopyButton,
  List,
  ListItem,
  SendIcon,
  Tag,
} from '@hawser/ui'
import { useAccount } from '../../hooks/useAccount.ts'
import { useHawser } from '../../hooks/useHawser.ts'
import { useHawserState } from '../../hooks/useHawserState.ts'
import { useMessages } from '../../locale/textsOf.ts'
import { useOwnNamesTexts } from '../../locale/useOwnNamesTexts.ts'
import { useOwnName } from '../../parts/names/useOwnName.ts'
import { StatementPreview } from '../../parts/signing/StatementPreview.tsx'
import { Addresses } from './Addresses.tsx'
import { Records } from './Records.tsx'

/** One name of the account: its addresses, its records and its actions. */
export function NameDetailView() {
  const texts = useOwnNamesTexts()
  const hawser = useHawser()
  const own = useOwnName()
  if (!own) return null
  const { record, address } = own
  return (
    <div className="hw-stack hw-name-detail">
      <NameHead record={record} own={address} />
      {record.given && <Gift />}
      <Addresses record={record} own={address} />
      <Records attributes={record.attributes} />
      <section className="hw-name-section">
        <h3 className="hw-heading">{texts.ownership}</h3>
        <List label={texts.ownership}>
          <ListItem
            title={texts.transfer}
            icon={
              <span className="hw-icon-tile">
                <SendIcon />
              </span>
            }
            end={<ChevronRightIcon size={18} />}
            data-testid="name-transfer"
            onSelect={() => editTransfer(hawser)}
          />
          <ListItem
            title={texts.release}
            tone="danger"
            icon={
              <span className="hw-icon-tile">
                <CloseIcon />
              </span>
            }
            end={<ChevronRightIcon size={18} />}
            data-testid="name-release"
            onSelect={() => editRelease(hawser)}
          />
        </List>
      </section>
      {!record.given && (
        <div className="hw-foot">
          <Button variant="primary" wide data-testid="name-edit-records" onClick={() => editRecords(hawser)}>
            {texts.edit}
          </Button>
        </div>
      )}
    </div>
  )
}

function NameHead({ record: { name, attributes }, own }: { record: NameRecord; own: string }) {
  const texts = useOwnNamesTexts()
  const { profileName, profileImage } = useAccount()
  const isShown = name === profileName
  return (
    <div className="hw-name-head">
      <Avatar seed={isShown ? own : name} src={isShown ? profileImage : undefined} size={64} />
      <CopyButton text={name} label={texts.copyName} className="hw-name-copy" data-testid="name-title">
        <bdi className="hw-name-title" data-length={name.length > 24 ? 'long' : 'short'}>
          {name}
        </bdi>
      </CopyButton>
      {isShown && <Tag tone="accent">{texts.shown}</Tag>}
      {attributes.bio && <p className="hw-name-bio">{attributes.bio}</p>}
    </div>
  )
}

/** Accepts a name that another account transferred to this one. */
function Gift() {
  const message = useMessages()
  const texts = useOwnNamesTexts()
  const hawser = useHawser()
  const change = useHawserState(hawser.ownNames, (state) => state.change)
  const accepting = change?.draft.kind === 'accept' ? change : undefined
  const { title, text, action } = texts.accept
  const { signing, saving, stop, declined } = texts.change
  const step = accepting?.status === 'signing' ? signing : accepting?.status === 'saving' ? saving : undefined

  function accept() {
    acceptName(hawser).catch(() =>
      showToast(hawser, { ...thrownMessage('nameChangeFailed'), variant: 'error' }),
    )
  }
  return (
    <div className="hw-gift">
      <p className="hw-gift-title">{title}</p>
      <p className="hw-gift-text">{text}</p>
      {accepting?.status === 'signing' && <StatementPreview signing={accepting.signing} />}
      {accepting?.failure && (
        <p className="hw-field-error" role="alert" data-testid="name-change-failure">
          {accepting.failure.by === 'person' ? declined : message(accepting.failure)}
        </p>
      )}
      <Button
        variant="primary"
        wide
        loading={step !== undefined}
        disabled={!accepting && isChanging(change)}
        data-testid="name-accept"
        onClick={accept}
      >
        {step ?? action}
      </Button>
      {accepting?.status === 'signing' && (
        <Button variant="quiet" size="small" wide onClick={() => stopChange(hawser)}>
          {stop}
        </Button>
      )}
      <p className="hw-visually-hidden" role="status">
        {step}
      </p>
    </div>
  )
}
