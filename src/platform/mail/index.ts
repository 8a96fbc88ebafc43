import { createTransport } from 'nodemailer';

/** The door for mail that the server itself sends, such as sign-in links. Mail of people goes through their own accounts. */
export type Mail = {
  send(message: { to: string; subject: string; text: string }): Promise<void>;
};

const timeoutMs = 20_000;

/** Opens the door by SMTP; null when no server is set, and nothing that needs mail is offered then. */
export function createMail(settings: { url: string | null; from: string }): Mail | null {
  if (!settings.url) return null;
  const transport = createTransport({
    url: settings.url,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
  });
  return {
    async send(message) {
      await transport.sendMail({ from: settings.from, ...message });
    },
  };
}
