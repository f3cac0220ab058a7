import { expect, it } from 'vitest'
import { findSessionsOf } from './query.ts'

const address = '0xAb16a96D359eC26a11e2C2b3d8f8B8942d5Bfcdb'
const project = '0123456789abcdef0123456789abcdef'

it('looks for the sessions of an account, of a project, or of everybody', () => {
  expect(findSessionsOf(` ${address} `)).toEqual({ by: { case: 'address', value: address } })
  expect(findSessionsOf(project.toUpperCase())).toEqual({ by: { case: 'projectId', value: project } })
  expect(findSessionsOf(' ')).toEqual({})
})

it('looks for nothing else', () => {
  for (const entered of ['alice@example.org', address.slice(0, -1), `${project}0`, '*']) {
    expect(findSessionsOf(entered)).toBeUndefined()
  }
})
