"""What the description of each operation says, sentence by sentence, and the tests that hold it.

An operation has as many entries as its description has sentences: the names of one or more tests or, in brackets, what
a sentence is that promises nothing.
"""

from __future__ import annotations

FOR_PEOPLE = "(whom it is for)"
ELSEWHERE = "(where more of it is said)"
PAGES = "pages_add_up_to_the_whole_history"
UNREAD_LINK = "looking_at_the_page_declines_nothing_and_declining_works_once"
OWN_PAGE = ("(whom it is for)", "every_screen_has_an_address")

HELD: dict[str, tuple[str, ...]] = {
    "makePlayer": (
        "the_cookie_has_safe_attributes a_guest_plays_at_once",
        "whoever_is_signed_in_makes_another_player_and_stays",
    ),
    "listGames": (
        (
            "the_lobby_lists_public_games_newest_first my_games_are_those_at_which_i_sit"
            " a_private_table_is_listed_only_for_the_people_at_it"
        ),
        "my_finished_games_can_be_filtered_by_person_and_ruleset",
        "the_lobby_shows_one_table_of_everybody_before_a_second_one",
        "each_page_continues_where_the_last_one_ended",
        "tables_keep_their_places_between_two_pages",
    ),
    "openGame": (
        (
            "a_table_may_start_automatically_when_it_is_full"
            " the_host_starts_the_game_when_every_seat_is_taken"
        ),
        "a_table_filled_with_house_players_starts_at_once",
        "omitted_settings_have_their_defaults",
    ),
    "takeSeat": (
        "people_sit_down_until_the_table_is_full the_others_are_invited_and_places_are_kept_for_them",
        (
            "every_route_of_a_private_table_is_404_for_strangers"
            " the_invitation_lets_people_see_the_table_and_sit_down"
        ),
    ),
    "startGame": (
        "the_host_can_start_with_house_players_in_the_free_places",
        "the_host_may_bring_one_with_the_start",
    ),
    "getGame": (
        "equal_tags_mean_equal_bodies_for_each_viewer",
        "responses_contain_only_what_the_engine_shows only_the_sizes_of_other_hands_are_shown",
        "a_game_waits_for_its_next_revision",
    ),
    "postAction": (
        "a_repeated_answer_is_acknowledged the_same_move_sent_twenty_times_at_once_is_one_event",
        (
            "only_people_with_a_seat_can_play nobody_can_play_before_the_start"
            " after_the_end_a_repeated_answer_is_still_acknowledged"
            " checks_are_made_in_the_order_that_the_document_says"
        ),
    ),
    "listTurns": (
        "turns_are_the_games_that_wait_for_me",
        (
            "my_turns_change_when_a_game_begins my_turns_change_when_a_game_of_mine_ends"
            " my_turns_change_when_i_am_asked_to_vote my_turns_change_when_a_game_changes_hands"
        ),
    ),
    "listMyInvitations": (
        (
            "a_registered_recipient_sees_the_invitation_and_may_sit_down"
            " the_others_are_invited_and_places_are_kept_for_them"
        ),
        "both_lists_are_paged",
    ),
    "declineInvitation": ("one_invitation_is_declined_and_once",),
    "leaveSeat": (
        "the_person_who_has_sat_longest_becomes_host the_table_is_deleted_when_the_last_person_leaves",
        "the_nonce_of_a_player_who_leaves_or_is_removed_stays",
    ),
    "putNonce": (
        "everybody_seated_may_bring_a_nonce_until_the_game_starts",
        "the_nonce_of_a_player_who_leaves_or_is_removed_stays",
        "after_the_start_it_is_too_late_but_for_the_same_again",
    ),
    "makeInvitationKey": (
        (
            "the_host_changes_the_key_and_the_old_one_ends"
            " the_host_of_a_running_game_changes_the_key_and_strangers_no_longer_watch"
        ),
        (
            "whoever_was_removed_cannot_come_back_with_the_old_key"
            " to_block_somebody_ends_the_keys_of_the_tables_one_hosts"
        ),
        "a_mailed_invitation_outlives_the_key_of_the_table a_mailed_invitation_ends_when_it_is_withdrawn",
    ),
    "listInvitations": (
        "invited_addresses_are_deleted_when_the_game_starts",
        "both_lists_are_paged",
    ),
    "makeInvitation": (
        (
            "only_seated_players_with_a_verified_address_can_invite"
            " a_player_invites_ten_addresses_a_day_and_repeats_do_not_count"
        ),
        (
            "looking_at_the_page_declines_nothing_and_declining_works_once"
            " an_address_can_stop_what_others_cause_and_allow_it_again"
        ),
        "the_response_does_not_reveal_who_is_registered",
    ),
    "takeInvitationBack": ("a_mailed_invitation_ends_when_it_is_withdrawn",),
    "makeRematch": (
        "only_those_seated_at_the_end_can_open_a_rematch_and_only_after_it",
        (
            "a_rematch_has_the_settings_of_the_game_before people_who_blocked_the_host_are_not_invited"
            " the_others_are_invited_and_places_are_kept_for_them"
        ),
        (
            "players_who_ask_later_sit_down_at_the_same_table"
            " two_clicks_open_one_rematch_even_if_it_starts_at_once"
        ),
    ),
    "nudge": (
        "only_players_can_nudge_and_nobody_nudges_themselves",
        (
            "a_nudge_is_mailed_to_the_player_who_is_waited_for"
            " a_person_is_nudged_at_most_once_a_day_at_each_table"
        ),
        "people_on_vacation_are_not_nudged",
        "a_nudge_from_a_blocked_player_is_silently_dropped a_nudge_is_answered_alike_whoever_gets_mails",
    ),
    "resign": (
        "the_other_player_wins_a_game_of_two",
        (
            "a_house_player_takes_the_seat_of_a_player_who_resigns"
            " the_former_holder_cannot_return_after_a_substitution"
            " the_leaver_gets_no_more_mail_about_the_game"
        ),
    ),
    "comeBack": (
        (
            "only_a_player_who_gave_up_a_seat_can_return_to_it"
            " after_the_fourth_resignation_there_is_no_way_back"
        ),
    ),
    "listRulesets": (
        "the_list_of_rulesets_leaves_out_what_each_has_by_itself",
        "no_client_of_the_last_release_breaks",
    ),
    "getRuleset": (
        "ten_operations_play_every_game programs_play_a_game_to_the_end_while_a_spectator_polls",
        "a_ruleset_is_described_in_the_version_that_is_asked_for",
    ),
    "listPaces": (
        "a_pace_can_be_chosen_by_name a_pace_can_be_given_in_seconds",
        "there_is_an_answer_with_a_new_value_of_every_open_set",
    ),
    "listFeeds": ("an_address_is_stored_as_a_hash_and_shown_once",),
    "makeFeed": (
        (
            "a_reader_is_told_of_a_turn_and_of_nothing_secret a_revoked_feed_is_gone_and_others_stay"
            " whoever_registers_ends_the_feeds"
        ),
    ),
    "revokeFeed": ("a_revoked_feed_is_gone_and_others_stay",) * 2,
    "listChanges": (
        (
            "the_first_answer_says_only_where_to_begin changes_are_kept_for_30_days"
            " whoever_has_not_asked_for_30_days_begins_anew"
        ),
    ),
    "listUnread": ("one_poll_covers_all_tables",),
    "getTurnsFeed": (
        FOR_PEOPLE,
        "a_reader_is_told_of_a_turn_and_of_nothing_secret",
        "an_address_opens_nothing_else_and_nothing_else_is_an_address",
    ),
    "getDeadlines": (
        FOR_PEOPLE,
        "a_deadline_that_is_moved_keeps_its_uid",
        "an_address_opens_nothing_else_and_nothing_else_is_an_address",
    ),
    "listWebhooks": ("a_receiver_that_is_gone_is_switched_off_at_once",),
    "makeWebhook": (
        (
            "a_program_is_told_of_what_it_would_be_listed only_what_is_wanted_is_sent_and_numbered"
            " the_receiver_of_the_documentation_takes_what_is_signed"
        ),
        ELSEWHERE,
    ),
    "getWebhook": ("what_fails_is_sent_again_later_and_later_with_the_same_id",),
    "changeWebhook": (
        (
            "what_changes_while_it_is_switched_off_is_not_sent_and_what_waits_is"
            " another_address_gets_the_next_message"
        ),
        "what_changes_while_it_is_switched_off_is_not_sent_and_what_waits_is",
    ),
    "deleteWebhook": ("a_deleted_webhook_gets_nothing_more",),
    "rotateSecret": ("both_secrets_sign_for_a_day",),
    "pingWebhook": (
        "only_what_is_wanted_is_sent_and_numbered",
        "deliveries_are_listed_newest_first_a_page_at_a_time",
    ),
    "listDeliveries": (
        "what_fails_is_sent_again_later_and_later_with_the_same_id",
        "what_waits_for_its_next_try_can_be_sent_now",
    ),
    "redeliver": (
        "something_is_sent_again_on_demand",
        "what_waits_for_its_next_try_can_be_sent_now two_couriers_send_each_message_once",
    ),
    "listVacations": (
        "a_player_plans_one_vacation_at_a_time ending_a_vacation_early_frees_the_remaining_days",
        "the_clock_does_not_run_during_a_vacation",
    ),
    "planVacation": (
        "a_player_plans_one_vacation_at_a_time thirty_days_are_allowed_in_each_calendar_year",
        "a_vacation_has_to_be_planned_a_day_ahead impossible_days_are_refused",
        "a_vacation_is_whole_days_in_the_players_time_zone",
    ),
    "endVacation": (
        "ending_a_vacation_early_frees_the_remaining_days",
        "days_that_have_postponed_a_deadline_stay_used",
    ),
    "getClock": (
        "a_move_leaves_a_reason_for_each_clock_that_it_changes an_outage_postpones_every_deadline",
    ),
    "listProposals": ("a_proposal_is_shown_to_everybody one_refusal_ends_a_proposal",),
    "makeProposal": (
        "a_substitute_needs_no_votes_if_nobody_is_left_to_vote",
        "everybody_who_has_to_vote_gets_a_mail somebody_proposes_at_most_ten_times_a_day_at_a_table",
        (
            "a_guest_without_a_seat_has_nobody_mailed only_the_other_people_at_the_table_can_vote"
            " proposals_that_make_no_sense_now_are_refused"
        ),
    ),
    "withdrawProposal": ("only_the_proposer_can_withdraw", "links_to_a_withdrawn_proposal"),
    "postVote": (
        "a_proposal_is_carried_out_once_everybody_has_agreed",
        "a_vote_can_be_changed_until_the_decision",
    ),
    "listBlocks": ("blocks_are_listed_by_page_to_their_owner_alone",),
    "makeBlock": (
        (
            "a_blocked_person_cannot_sit_down_at_the_blockers_table"
            " a_blocked_person_cannot_write_at_the_blockers_table people_who_blocked_the_inviter_are_not_told"
            " a_block_and_a_mute_get_the_same_answer"
        ),
        "a_spectator_is_blocked_by_a_message a_person_is_named_either_by_tenure_or_by_message",
    ),
    "liftBlock": ("a_blocked_person_cannot_sit_down_at_the_blockers_table",),
    "getTalk": ("a_message_does_not_change_the_game",),
    "listMessages": (
        "pages_go_from_new_to_old",
        "after_resigning_one_reads_only_older_messages_and_writes_nowhere",
    ),
    "postMessage": ("a_repetition_adds_no_message",),
    "hideMessage": (
        "the_host_hides_a_message_and_a_placeholder_stays",
        "the_operator_lists_and_closes_reports the_text_of_a_hidden_message_is_nowhere",
    ),
    "reportMessage": (
        "of_simultaneous_notes_mutes_blocks_and_reports_one_is_kept",
        "a_report_is_not_shown_to_anybody_at_the_table",
    ),
    "putMark": ("a_mark_moves_neither_back_nor_beyond_the_last_message",),
    "getNotes": ("nobody_else_reads_them",),
    "putNotes": ("notes_are_kept_as_they_were_written nobody_else_reads_them",),
    "listMutes": ("only_the_host_mutes",),
    "makeMute": (
        "a_muted_person_reads_and_plays_but_does_not_write",
        "a_spectator_is_muted_by_a_message a_person_is_named_either_by_tenure_or_by_message",
    ),
    "liftMute": ("a_muted_person_reads_and_plays_but_does_not_write",),
    "listEvents": (PAGES, "history_is_limited_by_how_much_is_asked_for"),
    "listViews": (
        (
            "views_are_what_everybody_saw_at_the_time"
            " who_gave_up_a_seat_sees_later_positions_as_a_spectator"
        ),
        "views_are_what_everybody_saw_at_the_time",
        "pages_add_up",
        "history_is_limited_by_how_much_is_asked_for",
    ),
    "getView": ("one_view_is_that_of_the_list", "there_is_no_view_of_what_has_not_happened"),
    "listDeals": (
        "each_entry_says_what_it_is_for_and_where_it_comes_from",
        "the_entries_of_a_finished_game_add_up_to_its_scores",
        "what_stayed_hidden_is_shown_as_it_lay nothing_of_it_can_be_had_while_the_game_runs",
    ),
    "getRecord": (
        "the_record_discloses_the_whole_game",
        "a_record_with_any_byte_changed_is_refused the_command_tells_valid_records_from_forged_ones",
        "it_is_served_and_named_where_records_are_described",
    ),
    "listRecords": (
        "each_line_is_the_record_byte_for_byte every_line_of_records_in_bulk_fits",
        "private_games_are_for_those_who_played_them",
        "pages_follow_each_other_and_keep_what_was_asked_for",
    ),
    "getRecordSchema": (
        "it_is_a_schema it_has_every_kind_of_event_with_exactly_its_members the_vectors_fit",
        ELSEWHERE,
    ),
    "getKey": (
        "every_head_that_is_shown_is_signed",
        "every_statement_is_held_against_the_record",
    ),
    "exportMe": ("the_export_holds_everything_and_no_secret",),
    "eraseMe": (
        "erasure_needs_the_password_if_there_is_one",
        "a_game_goes_on_with_a_house_player_and_stays_readable",
        "nothing_leads_back_to_an_erased_player",
    ),
    "getMe": ("what_a_registered_player_is_shown",),
    "changeMe": ("an_empty_change_is_accepted", "a_name_is_changed_at_every_table"),
    "signIn": (
        (
            "handle_or_verified_address_and_password_sign_in the_link_signs_in_on_another_device"
            " a_mailed_link_signs_in_once"
        ),
        (
            "a_wrong_password_gets_the_same_answer_for_every_login"
            " without_a_hash_no_password_is_right_at_the_same_cost"
        ),
    ),
    "previewSignIn": ("a_preview_of_the_link_names_its_owner_and_signs_nobody_in", ELSEWHERE),
    "signOut": ("signing_out_ends_only_this_sign_in", "signing_out_always_works_and_leaves_tokens"),
    "mailLink": (
        "asking_for_a_link_is_the_same_for_every_login",
        "a_mailed_link_signs_in_once a_mailed_link_expires_after_an_hour",
    ),
    "verifyAddress": (
        "a_key_verifies_an_address_once a_key_expires_after_three_days a_visitor_verifies_nothing",
        "a_new_address_ends_everything_else_and_the_old_address_is_told",
    ),
    "rejectAddress": (
        "the_owner_of_an_address_removes_it_from_the_account_of_a_stranger",
        "only_an_address_that_is_not_verified_can_be_rejected",
        "an_address_belongs_to_whoever_verifies_it_first",
    ),
    "resetPassword": ("a_reset_ends_everything_else_and_the_owner_is_told",),
    "registerMe": (
        "a_guest_keeps_the_seats",
        "registering_ends_everything_else",
        "a_key_verifies_an_address_once",
        "registering_is_the_same_with_every_address only_the_owner_of_a_known_address_is_notified",
    ),
    "adoptProvenAddress": (
        "whoever_comes_with_the_key_gets_turns_by_mail_at_one_touch",
        (
            "without_the_key_nothing_is_proven an_address_that_belongs_to_an_account_is_not_given_away"
            " whoever_wants_no_mails_that_others_cause_gets_none"
        ),
        "a_handle_is_made_of_the_name",
        "other_credentials_end",
    ),
    "forgetProvenAddress": ("it_can_be_left",),
    "changePassword": (
        "a_password_is_changed_with_the_old_one_and_ends_all_other_sign_ins",
        "a_new_password_ends_everything_else_and_the_owner_is_told",
        "a_new_password_forgets_an_address_that_was_to_come",
        "a_new_password_ends_everything_else_and_the_owner_is_told",
    ),
    "changeAddress": (
        (
            "the_old_address_counts_until_the_new_one_is_verified_and_is_notified"
            " a_new_address_ends_everything_else_and_the_old_address_is_told"
        ),
        "a_later_change_of_address_ends_the_earlier_key",
        "changing_the_address_is_the_same_with_every_address",
    ),
    "listSignIns": (
        "browsers_are_named_coarsely uses_are_recorded_to_the_minute",
        "signing_out_everywhere_ends_all_but_tokens",
    ),
    "endSignIns": (
        (
            "a_guest_who_signs_out_everywhere_keeps_the_link"
            " an_account_without_another_way_to_sign_in_keeps_the_link"
        ),
        "signing_out_everywhere_ends_all_but_tokens",
    ),
    "endSignIn": ("sign_ins_are_listed_and_ended_one_by_one",),
    "makeLink": ("a_new_link_ends_the_old_one", "no_secret_is_stored"),
    "getSettings": ("settings_are_changed_one_by_one",),
    "changeSettings": ("settings_are_changed_one_by_one",),
    "listTokens": (
        "tokens_are_listed_without_secrets_and_revoked_one_by_one the_last_use_is_shown",
    ),
    "makeToken": ("a_token_passes_on_no_more_than_it_has",),
    "revokeToken": (
        "tokens_are_listed_without_secrets_and_revoked_one_by_one",
        "a_token_is_revoked_by_its_owner_once",
    ),
    "getWords": ("the_words_of_the_page_have_the_same_keys_in_both_languages",),
    "getProblem": ("every_kind_of_problem_has_its_example",),
    "getPrivacy": ("it_has_all_parts_and_how_long_things_are_kept",),
    "getSecurityTxt": ("there_is_none_without_an_address",),
    "getOpenapi": ("the_document_is_what_its_sources_say", "the_document_is_valid_openapi"),
    "getReference": ("the_reference_brings_its_own_files_which_may_be_kept",),
    "getClientsDocument": ("every_snippet_is_run_by_a_test",),
    "getChangesDocument": ("every_link_of_a_document_leads_somewhere",),
    "getRecordDocument": ("the_document_lists_all_members",),
    "getExample": ("examples_are_saved_and_not_run",),
    "getHealth": ("without_a_database_it_is_alive_but_not_ready",),
    "getReadiness": ("ready_with_all_that_is_needed without_a_database_it_is_alive_but_not_ready",),
    "getLobbyPage": OWN_PAGE,
    "getSignInPage": OWN_PAGE,
    "getArrivalPage": OWN_PAGE,
    "getFinishedPage": OWN_PAGE,
    "getSettingsPage": OWN_PAGE,
    "getSettingsSection": ("every_screen_has_an_address",),
    "getNewTablePage": OWN_PAGE,
    "getTablePage": OWN_PAGE,
    "getRules": (
        "a_page_of_rules_shows_cards_instead_of_codes",
        "a_page_has_the_anchors_that_the_ruleset_names",
    ),
    "getRulesExample": (
        "the_page_of_rules_leads_through_its_example all_cards_are_face_up",
        "beyond_the_end_is_the_end_and_nonsense_is_refused",
    ),
    "getPlainHome": ("a_text_browser_plays_a_whole_game",),
    "getPlainFinished": ("a_text_browser_plays_a_whole_game",),
    "getPlainEntrance": ("one_signs_in_by_password mailed_links_sign_in_and_set_a_password",),
    "enterPlain": ("the_secret_link_is_shown_once_and_leads_back",),
    "leavePlain": ("a_token_ends_with_its_sign_in",),
    "getPlainSettings": ("a_guest_registers_and_is_mailed",),
    "changePlainSettings": ("the_secret_link_is_shown_once_and_leads_back",),
    "getPlainNewTable": ("every_form_changes_something_when_it_is_sent",),
    "openPlainTable": ("a_text_browser_plays_a_whole_game", "a_table_is_opened_once"),
    "getPlainInvitation": ("no_secret_stays_in_an_address",),
    "followPlainInvitation": ("an_invitation_is_looked_at_declined_and_accepted",),
    "getPlainTable": ("pages_show_what_their_reader_may_know",),
    "actAtPlainTable": ("a_table_is_set_up_joined_and_started",),
    "getPlainMove": (
        "pages_show_what_their_reader_may_know",
        "a_question_that_has_been_answered_is_explained",
    ),
    "playPlainMove": (
        "a_text_browser_plays_a_whole_game",
        "a_move_that_is_sent_twice_is_played_once",
    ),
    "getPlainHistory": ("pages_show_what_their_reader_may_know",),
    "getPlainTalk": ("what_was_said_is_said_once",),
    "sayPlainly": ("what_was_said_is_said_once",),
    "getPlainProposals": ("a_pause_is_proposed_and_agreed_on",),
    "proposePlainly": ("a_pause_is_proposed_and_agreed_on",),
    "getPlainResignation": ("a_get_changes_nothing",),
    "resignPlainly": ("a_seat_is_given_up_only_with_the_box_ticked",),
    "getMove": ("a_get_shows_the_move_and_changes_nothing",),
    "playMove": ("a_post_plays_like_the_api", "an_outdated_link_shows_the_present_table"),
    "getBallot": ("a_get_shows_what_is_proposed_and_changes_nothing",),
    "castBallot": ("a_post_votes_like_the_api", "the_same_vote_again_changes_nothing"),
    "getSeatedTable": ("open_the_table_shows_the_readers_own_table",),
    "getSeat": ("the_links_of_a_lost_seat_explain",),
    "takeSeatBack": ("the_seat_is_taken_back_by_a_link",),
    "getInvitation": (UNREAD_LINK,),
    "refuseInvitation": (UNREAD_LINK,),
    "getUnsubscribe": ("opening_the_page_changes_nothing",),
    "unsubscribe": ("one_click_stops_what_its_mail_was_about",),
    "getMailbox": ("sent_mails_are_shown public_servers_have_no_mailbox",),
    "getMail": ("sent_mails_are_shown",),
    "getMailHtml": ("a_mail_may_have_styles_but_nothing_active",),
}
"""By operation, for each sentence of its description, the tests that hold it."""
