"""What hosts write down about their chats, read to prompts and decisions."""
