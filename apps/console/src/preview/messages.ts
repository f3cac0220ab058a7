import type { ThemeMode } from '@hawser/core'
import type { Design } from '../studio/design.ts'

/** What the theme studio sends to the preview in its frame. */
export interface PreviewMessage {
  readonly type: 'hawser-console/design'
  readonly design: Design
  /** The palette to show: a design that follows the system has both. */
  readonly mode: ThemeMode
}

/** What the preview sends when it listens. */
export interface PreviewReady {
  readonly type: 'hawser-console/ready'
}
