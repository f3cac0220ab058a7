import { type ReactNode, useEffect, useRef, useState } from 'react'
import { CheckIcon, CopyIcon } from '../icons/icons.tsx'

/** How long the check mark replaces the copy icon, in milliseconds. */
const confirmationMs = 1500

export interface CopyButtonProps {
  /** The text that is copied. */
  text: string
  /** The accessible name: "Copy address". */
  label: string
  /** Visible content before the icon; without it the button is an icon alone. */
  children?: ReactNode
  className?: string
  /** Called with whether the browser allowed it. */
  onCopy?: (result: 'copied' | 'failed') => void
  'data-testid'?: string
}

/** Copies a text and confirms in place. */
export function CopyButton({ text, label, children, className, onCopy, ...rest }: CopyButtonProps) {
  const [copied, setCopied] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])

  async function copy() {
    const done = await writeClipboard(text)
    onCopy?.(done ? 'copied' : 'failed')
    if (!done) return
    setCopied(true)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setCopied(false), confirmationMs)
  }

  return (
    <button
      {...rest}
      type="button"
      className={`hw-copy${className ? ` ${className}` : ''}`}
      data-state={copied ? 'copied' : 'idle'}
      data-bare={children === undefined || undefined}
      title={children === undefined ? label : text}
      onClick={copy}
    >
      {children}
      <span className="hw-visually-hidden">{label}</span>
      <span className="hw-copy-icon">{copied ? <CheckIcon size={18} /> : <CopyIcon size={18} />}</span>
    </button>
  )
}

async function writeClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}
