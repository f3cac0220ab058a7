import { createContext } from 'react'

/** The language that numbers are written in, as a BCP 47 tag; English by default. */
export const NumberLocale = createContext('en')
