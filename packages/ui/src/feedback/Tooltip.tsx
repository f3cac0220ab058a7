import { cloneElement, type ReactElement, useId, useState } from 'react'

export interface TooltipProps {
  text: string
  children: ReactElement<{ 'aria-describedby'?: string }>
}

/** A short explanation above a control, on hover and on keyboard focus; Escape hides it. */
export function Tooltip({ text, children }: TooltipProps) {
  const id = useId()
  const [open, setOpen] = useState(false)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only watches its child, takes no action of its own
    <span
      className="hw-tooltip-anchor"
      onPointerEnter={() => setOpen(true)}
      onPointerLeave={() => setOpen(false)}
      onFocus={() => setOpen(true)}
      onBlur={() => setOpen(false)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !open) return
        event.stopPropagation()
        event.preventDefault()
        setOpen(false)
      }}
    >
      {cloneElement(children, { 'aria-describedby': id })}
      <span id={id} role="tooltip" className="hw-tooltip" data-state={open ? 'open' : 'closed'}>
        {text}
      </span>
    </span>
  )
}
