export type * from '../names/answers.ts'
export { createNames, type IdentityOptions, type Names, type SignedText } from '../names/names.ts'
