import {
  fetchOwnNames,
  type NameRecord,
  openName,
  openRegisterName,
  shortenAddress,
  watchOwnNames,
} from '@hawser/core'
import {
  AlertIcon,
  Avatar,
  Button,
  CheckIcon,
  ChevronRightIcon,
  EmptyState,
  List,
  ListItem,
  NameIcon,
  SkeletonRows,
} from '@hawser/ui'
import { useEffect } from 'react'
import { useAccount } from '../../hooks/useAccount.ts'
import { useHawser } from '../../hooks/useHawser.ts'
import { useHawserState } from '../../hooks/useHawserState.ts'
import { useOwnNamesTexts } from '../../locale/useOwnNamesTexts.ts'
import { useTexts } from '../../locale/useTexts.ts'

/** The names of the account, and those that were transferred to it and not accepted yet. */
export function NamesView() {
  const ownNamesTexts = useOwnNamesTexts()
  const hawser = useHawser()
  const { profileName } = useAccount()
  const { status, records } = useHawserState(hawser.ownNames, (state) => state)
  useEffect(() => watchOwnNames(hawser), [hawser])

  if (records.length === 0) return <NoNames status={status} />
  return (
    <div className="hw-stack">
      <NameRows label={ownNamesTexts.list} records={records.filter(({ given }) => !given)} />
      <NameRows label={ownNamesTexts.given} records={records.filter(({ given }) => given)} hasHeading />
      {!profileName && (
        <Button variant="primary" wide data-testid="names-register" onClick={() => openRegisterName(hawser)}>
          {ownNamesTexts.empty.register}
        </Button>
      )}
    </div>
  )
}

function NoNames({ status }: { status: 'unread' | 'read' | 'failed' }) {
  const ownNamesTexts = useOwnNamesTexts()
  const texts = useTexts()
  const hawser = useHawser()
  if (status === 'unread') return <SkeletonRows count={2} label={ownNamesTexts.loading} />
  if (status === 'failed') {
    return (
      <EmptyState
        tone="error"
        icon={<AlertIcon size={26} />}
        title={ownNamesTexts.error.title}
        data-testid="names-error"
        action={
          <Button size="small" onClick={() => void fetchOwnNames(hawser)}>
            {texts.tryAgain}
          </Button>
        }
      >
        {ownNamesTexts.error.text}
      </EmptyState>
    )
  }
  return (
    <EmptyState
      icon={<NameIcon size={26} />}
      title={ownNamesTexts.empty.title}
      data-testid="names-empty"
      action={
        <Button variant="primary" data-testid="names-register" onClick={() => openRegisterName(hawser)}>
          {ownNamesTexts.empty.register}
        </Button>
      }
    >
      {ownNamesTexts.empty.text}
    </EmptyState>
  )
}

interface NameRowsProps {
  label: string
  records: readonly NameRecord[]
  hasHeading?: boolean
}

function NameRows({ label, records, hasHeading }: NameRowsProps) {
  if (records.length === 0) return null
  return (
    <section className="hw-name-section">
      {hasHeading && <h3 className="hw-heading">{label}</h3>}
      <List label={label}>
        {records.map((record) => (
          <NameRow key={record.name} record={record} />
        ))}
      </List>
    </section>
  )
}

function NameRow({ record }: { record: NameRecord }) {
  const hawser = useHawser()
  const { address, profileName, profileImage } = useAccount()
  const isShown = record.name === profileName
  // The primary name has the avatar of the account.
  const seed = (isShown && address) || record.name
  return (
    <ListItem
      title={record.name}
      subtitle={summaryOf(record)}
      icon={<Avatar seed={seed} src={isShown ? profileImage : undefined} />}
      end={
        <>
          {isShown && <ShownMark />}
          <ChevronRightIcon size={18} />
        </>
      }
      data-testid={`own-name-${record.name}`}
      onSelect={() => openName(hawser, record.name)}
    />
  )
}

function ShownMark() {
  const ownNamesTexts = useOwnNamesTexts()
  return (
    <span className="hw-current" title={ownNamesTexts.shown}>
      <CheckIcon />
      <span className="hw-visually-hidden">{ownNamesTexts.shown}</span>
    </span>
  )
}

/** Returns the subtitle of a name: its bio, or the address that it resolves to. */
function summaryOf({ attributes, addresses }: NameRecord): string | undefined {
  const words = attributes.bio ?? attributes.description
  if (words) return words
  const [first] = Object.values(addresses)
  return first && shortenAddress(first.address)
}
