declare module '*.md' {
  /** The document as HTML. */
  const html: string
  export default html
}
