/** The configuration that the server writes into the page. */
export interface FrameConfig {
  /** Empty on a page without a project. */
  readonly projectId: string
  /** Name of the project, for visitors; empty on a page without a project. */
  readonly name: string
  /** Patterns of the pages that may show the frame. */
  readonly origins: readonly string[]
  /** Whether pages of the visitor's own machine may show it as well. */
  readonly local: boolean
}

/** Reads the configuration of the page. */
export function readConfig(document: Document): FrameConfig {
  const config = JSON.parse(document.getElementById('config')?.textContent || '{}') as Partial<FrameConfig>
  return {
    projectId: config.projectId ?? '',
    name: config.name ?? '',
    origins: config.origins ?? [],
    local: config.local ?? false,
  }
}
