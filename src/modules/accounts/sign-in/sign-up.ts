/** Who may create their own account: nobody, people with addresses of these domains, or everybody. */
export type SignUp = 'closed' | 'open' | readonly string[];

/** Whether the owner of a proved address may sign up. A domain does not include its subdomains. */
export function maySignUp(signUp: SignUp, email: string): boolean {
  if (typeof signUp === 'string') return signUp === 'open';
  return signUp.includes(email.slice(email.lastIndexOf('@') + 1).toLowerCase());
}
