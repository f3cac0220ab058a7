import type { SignInState } from '../types/signIn.ts'

export const initialSignIn: SignInState = { status: 'off', isRequired: false, session: undefined }
