/** The palette of the modal and the buttons. */
export type ThemeMode = 'light' | 'dark'

/** CSS custom properties of the modal, by their full name: `--hw-accent`, `--hw-radius`, … */
export type ThemeVariables = Readonly<Record<`--hw-${string}`, string | number>>
