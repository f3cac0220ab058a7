import type { NameSuggestion } from '@hawser/core'
import { ChevronRightIcon, List, ListItem, Tag } from '@hawser/ui'
import { useNamesTexts } from '../../locale/useNamesTexts.ts'

export interface NameRowsProps {
  suggestions: readonly NameSuggestion[]
  /** Absent while no name can be chosen. */
  onChoose: ((name: string) => void) | undefined
}

/** The typed name with its availability; suggestions when it is taken. */
export function NameRows({ suggestions, onChoose }: NameRowsProps) {
  const texts = useNamesTexts()
  const [wanted, ...others] = suggestions
  if (!wanted) return null
  const shown = isFree(wanted) ? [wanted] : [wanted, ...others.filter(isFree)]
  return (
    <List label={texts.results}>
      {shown.map((suggestion) => (
        <ListItem
          key={suggestion.name}
          title={suggestion.name}
          data-testid="account-name-suggestion"
          end={<Outcome suggestion={suggestion} />}
          {...(isFree(suggestion) && onChoose && { onSelect: () => onChoose(suggestion.name) })}
        />
      ))}
    </List>
  )
}

function Outcome({ suggestion }: { suggestion: NameSuggestion }) {
  const texts = useNamesTexts()
  const { available, registered, reserved } = texts.states
  if (!isFree(suggestion)) return <Tag tone="warning">{suggestion.registered ? registered : reserved}</Tag>
  return (
    <>
      <Tag tone="success">{available}</Tag>
      <ChevronRightIcon size={18} />
    </>
  )
}

function isFree({ registered, available }: NameSuggestion): boolean {
  return !registered && available !== false
}
