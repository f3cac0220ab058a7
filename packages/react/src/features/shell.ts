import { adoptStyles } from '../modal/adoptStyles.ts'
import { shellStyles } from '../styles/shell.gen.ts'

// A feature is a chunk that is loaded on demand: views, and the styles that are not adopted yet. "Chunks" in
// ARCHITECTURE.md says why each feature imports the one before it.

// Both the account and the pairing use it, and neither imports the other.
export { CopyButton } from '@hawser/ui'
export { loadFirstView } from '../modal/loadFirstView.ts'
export { Modal } from '../modal/Modal.tsx'
export { loadView } from '../modal/routes.ts'

adoptStyles(shellStyles)
