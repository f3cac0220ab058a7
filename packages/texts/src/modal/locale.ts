/** The texts of the buttons, which are on the site's page before the modal is. */
export interface ButtonTexts {
  readonly connect: string
  readonly connecting: string
  /** Shown to a connected visitor when the code of the account button could not be loaded. */
  readonly account: string
  readonly selectNetwork: string
  readonly switchNetwork: string
}

/** Imports the chunk of a language by its dynamic import. */
export type ImportChunk = (load: () => Promise<{ texts: object }>) => Promise<{ texts: object }>

/** A language of the modal other than the built-in English; from `@hawser/react/locales/…`. */
export interface Locale {
  /** BCP 47: `pt-BR`. */
  readonly tag: string
  readonly direction: 'ltr' | 'rtl'
  readonly buttons: ButtonTexts
  /** The texts of the modal, by feature; undefined until they are loaded. */
  readonly texts: object | undefined
  /**
   * Loads the texts of the modal.
   *
   * @param importChunk imports their chunk, by default once.
   */
  load(importChunk?: ImportChunk): Promise<void>
}
