export * from '../networks.gen.ts'
