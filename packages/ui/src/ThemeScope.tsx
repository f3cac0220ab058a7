import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react'
import { NumberLocale } from './amount/NumberLocale.ts'
import { applyThemeVars, type ThemeMode } from './theme.ts'

const noVars = {}

/** Before the first paint in a browser; React 18 warns of layout effects on a server. */
const useBeforePaint = typeof document === 'undefined' ? useEffect : useLayoutEffect

export interface ThemeScopeProps {
  mode: ThemeMode
  /** Custom properties by their full name; see ThemeVars. */
  vars?: Readonly<Record<`--hw-${string}`, string | number>>
  /** BCP 47 tag of the language of the children, and its direction; those of the page by default, with numbers in English. */
  lang?: string | undefined
  dir?: 'ltr' | 'rtl' | undefined
  children: ReactNode
}

/** Applies a palette, custom properties and a language to its children, without a box of its own. */
export function ThemeScope({ mode, vars = noVars, children, ...language }: ThemeScopeProps) {
  const scope = useRef<HTMLDivElement>(null)
  useBeforePaint(() => (scope.current ? applyThemeVars(scope.current, vars) : undefined), [vars])
  return (
    <div ref={scope} className="hw-scope" data-hw-theme={mode} {...language}>
      <NumberLocale.Provider value={language.lang ?? 'en'}>{children}</NumberLocale.Provider>
    </div>
  )
}
