/** A page before it is rendered. */
export interface Source {
  /** Path of the page below the site, such as "operate/helm.html". */
  path: string
  /** Its name in the navigation. */
  title: string
  /** One sentence for search engines and cards. */
  about?: string
  /** Markdown file of the repository, or the place that links to a generated page name. */
  file: string
  /** Markdown of a generated page; the text of `file` where it is absent. */
  markdown?: string
  /** Names that link from its code, each with its path on the site, such as "reference/core.html#network". */
  names?: ReadonlyMap<string, string>
}

/** A part of the navigation. */
export interface Section {
  title: string
  pages: Source[]
}

/** A heading with its place on the page. */
export interface Heading {
  depth: number
  id: string
  /** Without markup. */
  text: string
}

/** A rendered page. */
export interface Page extends Source {
  section: string
  headings: Heading[]
  html: string
}
