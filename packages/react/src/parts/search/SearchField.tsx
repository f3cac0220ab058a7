import { SearchIcon, TextField } from '@hawser/ui'
import { useEffect, useRef } from 'react'
import { listenToListKeys } from './listKeys.ts'

export interface SearchFieldProps {
  /** The label: "Search token". */
  label: string
  value: string
  onChange: (value: string) => void
  'data-testid'?: string
}

/**
 * The search above a list. It is focused on mount where there is a mouse; on a touch screen that would open the
 * keyboard over the rows.
 */
export function SearchField({ label, value, onChange, ...rest }: SearchFieldProps) {
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (!input.current) return
    if (globalThis.matchMedia?.('(hover: hover) and (pointer: fine)').matches) {
      input.current.focus({ preventScroll: true })
    }
    return listenToListKeys(input.current)
  }, [])
  return (
    <div className="hw-sticky">
      <TextField
        {...rest}
        type="search"
        label={label}
        placeholder={label}
        icon={<SearchIcon />}
        inputRef={input}
        value={value}
        onChange={(event) => {
          const text = event.target.value
          if (!value || !text) holdHeight(event.target, text !== '')
          onChange(text)
        }}
      />
    </div>
  )
}

/** Keeps the view as high as it was while a text is searched: the field does not move when there are few rows. */
function holdHeight(input: HTMLElement, isSearching: boolean) {
  const view = input.closest<HTMLElement>('.hw-view')
  const visible = view?.closest('.hw-auto-height')?.clientHeight
  if (view && visible)
    view.style.minBlockSize = isSearching ? `${Math.min(view.offsetHeight, visible)}px` : ''
}
