import { expect, it } from 'vitest'
import * as ui from './index.ts'

it('what the package gives away is on purpose', () => {
  expect(Object.keys(ui).sort()).toMatchSnapshot()
})
