import type { ButtonHTMLAttributes, ReactNode } from 'react'

export interface IconButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'aria-label'> {
  /** The accessible name, also shown as the title. */
  label: string
  children: ReactNode
}

/** A round button that shows only an icon. */
export function IconButton({ label, children, className, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      title={label}
      {...rest}
      aria-label={label}
      className={className ? `hw-icon-button ${className}` : 'hw-icon-button'}
    >
      {children}
    </button>
  )
}
