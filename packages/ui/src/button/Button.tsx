import type { ButtonHTMLAttributes, ReactNode } from 'react'
import { Spinner } from '../feedback/Spinner.tsx'

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  variant?: 'primary' | 'neutral' | 'quiet' | 'danger'
  size?: 'medium' | 'small'
  /** Shows a spinner beside the label and ignores presses. */
  loading?: boolean
  /** Full width. */
  wide?: boolean
  icon?: ReactNode
}

/** A button with a text label. Stays focusable while loading, so focus is not lost. */
export function Button({
  variant = 'neutral',
  size = 'medium',
  loading = false,
  wide = false,
  icon,
  className,
  children,
  onClick,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={className ? `hw-button ${className}` : 'hw-button'}
      data-variant={variant}
      data-size={size}
      data-wide={wide || undefined}
      aria-busy={loading || undefined}
      onClick={loading ? undefined : onClick}
    >
      {loading ? <Spinner size={18} /> : icon}
      <span className="hw-button-label">{children}</span>
    </button>
  )
}
