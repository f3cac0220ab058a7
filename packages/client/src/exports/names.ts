export type * from '../names/answers.ts'
export { createNames, type Names, type Registration } from '../names/names.ts'
