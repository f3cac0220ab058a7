import { Role } from '../gen/hawser/options/v1/options_pb.ts'

/** The roles that an operator can have, each with the rights of those before it. */
export const roles: readonly Role[] = [Role.VIEWER, Role.SUPPORT, Role.OPERATOR, Role.OWNER]

/** Reports whether a role has the rights of another one. The server decides; the page hides what it would refuse. */
export function may(role: Role | undefined, needed: Role): boolean {
  return role !== undefined && roles.includes(role) && role >= needed
}
