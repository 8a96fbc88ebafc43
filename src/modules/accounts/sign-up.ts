/** Who may make an account of their own: nobody, people whose addresses are of these domains, or everybody. */
export type SignUp = 'closed' | 'open' | readonly string[];

/** Whether whoever has proved an address may sign up. A domain does not stand for those below it. */
export function maySignUp(signUp: SignUp, email: string): boolean {
  if (typeof signUp === 'string') return signUp === 'open';
  return signUp.includes(email.slice(email.lastIndexOf('@') + 1).toLowerCase());
}
