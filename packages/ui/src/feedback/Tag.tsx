import type { ReactNode } from 'react'

export interface TagProps {
  tone?: 'neutral' | 'accent' | 'success' | 'warning'
  children: ReactNode
}

/** A small label. */
export function Tag({ tone = 'neutral', children }: TagProps) {
  return (
    <span className="hw-tag" data-tone={tone}>
      {children}
    </span>
  )
}
