import { adoptStyles } from '../modal/adoptStyles.ts'
import { shellStyles } from '../styles/shell.gen.ts'

// A feature is what a page imports at once when it needs it: views, and the styles that the page has not taken yet. Each
// imports the one before it, so that whatever a bundler finds in both lies in the chunk of the first, not in one of its own.

export { Modal } from '../modal/Modal.tsx'
export { loadView } from '../modal/routes.ts'

adoptStyles(shellStyles)
