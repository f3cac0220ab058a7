import { expect, it } from 'vitest'
import * as react from './index.ts'

it('what the package gives away is on purpose', () => {
  expect(Object.keys(react).sort()).toMatchSnapshot()
})
