import { Button, SearchIcon, TextField } from '@hawser/ui'
import { type FormEvent, type ReactNode, useState } from 'react'

export interface SearchFormProps<Query> {
  /** What can be entered. */
  label: string
  action: string
  /** Returns what is looked for; undefined for what cannot be. */
  parse: (entered: string) => Query | undefined
  /** In the field; a magnifying glass by default. */
  icon?: ReactNode
  /** Shown for what cannot be looked for. */
  problem: string
  isPending: boolean
  onSearch: (query: Query) => void
}

/** A field to find something by, with its button. What is entered stays on the page: it may be an email. */
export function SearchForm<Query>({
  label,
  action,
  parse,
  problem,
  icon = <SearchIcon />,
  isPending,
  onSearch,
}: SearchFormProps<Query>) {
  const [entered, setEntered] = useState('')
  const [isWrong, setWrong] = useState(false)

  function submit(event: FormEvent) {
    event.preventDefault()
    const query = parse(entered)
    setWrong(query === undefined)
    if (query !== undefined && !isPending) onSearch(query)
  }

  return (
    <form className="search" onSubmit={submit}>
      <TextField
        label={label}
        placeholder={label}
        icon={icon}
        value={entered}
        error={isWrong ? problem : undefined}
        onChange={(event) => setEntered(event.target.value)}
      />
      <Button type="submit" variant="primary" loading={isPending}>
        {action}
      </Button>
    </form>
  )
}
